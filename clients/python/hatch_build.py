"""Adds the address of the repository to the metadata of the wheel, which publishers with provenance need."""

import os

from hatchling.metadata.plugin.interface import MetadataHookInterface


class CustomMetadataHook(MetadataHookInterface):
    def update(self, metadata):
        address = os.environ.get("REPOSITORY_URL")
        metadata["urls"] = {"Repository": address} if address else {}
