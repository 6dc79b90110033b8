"""A function for Pipecat bots that creates a checkout, and the transfer of the caller to the payment line."""

# Annotations are not postponed: Pipecat reads those of the function.
import asyncio
import logging
from typing import Any

from ._client import Ringkey
from .errors import RingkeyError

_log = logging.getLogger("ringkey")


class Payment:
    """The payment of one call. The model chooses the order and nothing else.

    Put `take_payment` into the bot's tools. When the bot has said the message, call `transfer`.

    Args:
        ringkey: A key of scope `agent` is enough.
        transport: The bot's `DailyTransport`.
        merchant_id: The merchant that gets paid.
        room_name: Identifies the call. The outcome, the session and the webhook have it.
        caller_phone: From the request that started the bot. None if it is withheld.
        return_to: The SIP URI or number to which the caller comes back.
        refer_session_id: The caller's session in the room. With it, Daily sends a REFER and leaves the call. Without
            it, Daily stays in the call.
        timeout: How long to wait for data from Ringkey, in seconds.
        checkout: Further fields of `create_checkout`, such as `language`.
    """

    def __init__(
        self,
        ringkey: Ringkey,
        transport: Any,
        *,
        merchant_id: str,
        room_name: str,
        caller_phone: str | None = None,
        return_to: str | None = None,
        refer_session_id: str | None = None,
        timeout: float = 10,
        **checkout: Any,
    ) -> None:
        self._ringkey = ringkey
        self._transport = transport
        self._refer_session_id = refer_session_id
        self._fields: dict[str, Any] = {"merchant_id": merchant_id, "platform_call_id": room_name, "timeout": timeout}
        self._fields |= checkout
        if caller_phone:
            self._fields["caller_phone"] = caller_phone
        if return_to:
            self._fields["return_to"] = return_to
        self._transfer_to: str | None = None
        self.checkout_session_id: str | None = None
        """The session of the last checkout. None before there is one."""

    async def take_payment(self, params: Any, order_id: str) -> None:
        """Call once, when the order is complete and the caller is ready to pay.

        Args:
            order_id: The ID of the order.
        """
        self._transfer_to = None
        try:
            created = await asyncio.to_thread(self._ringkey.create_checkout, order_id=order_id, **self._fields)
        except RingkeyError as error:
            _log.error("create_checkout failed: %s, request %s", error.code, error.request_id)
            await params.result_callback({"say": error.agent_message})
            return
        self._transfer_to = created["transfer_to"]
        self.checkout_session_id = created["checkout_session_id"]
        # Without the address of the line, which is not for the model.
        await params.result_callback({"say": created["agent_message"]})

    async def transfer(self) -> bool:
        """Transfers the caller to the payment line, if the last checkout has to be paid.

        Returns:
            Whether the transfer has started. Otherwise the caller stays with the bot.
        """
        address, self._transfer_to = self._transfer_to, None
        if address is None:
            return False
        if self._refer_session_id is None:
            error = await self._transport.sip_call_transfer({"toEndPoint": address})
        else:
            error = await self._transport.sip_refer({"sessionId": self._refer_session_id, "toEndPoint": address})
        if error:
            # Its text may contain the address of the line.
            _log.error("Daily could not transfer the caller")
        return not error
