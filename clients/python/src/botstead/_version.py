"""The version of the API's document."""

__version__ = "0.2.0"
