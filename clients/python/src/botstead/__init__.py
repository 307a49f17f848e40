"""Client of Botstead's organisation API, and the verification of its webhook deliveries."""

from . import types
from ._calls import Response
from ._client import Botstead
from ._delivery import DeliveryRejected, RejectedBecause, verify_delivery
from ._errors import BotsteadError
from ._listing import Listing
from ._version import __version__

__all__ = [
    "Botstead",
    "BotsteadError",
    "DeliveryRejected",
    "Listing",
    "RejectedBecause",
    "Response",
    "__version__",
    "types",
    "verify_delivery",
]
