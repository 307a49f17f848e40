"""The version of the API's document."""

__version__ = "0.3.0"
