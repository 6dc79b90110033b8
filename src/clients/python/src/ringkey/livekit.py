"""A function tool for LiveKit Agents that creates a checkout and transfers the caller to the payment line.

Needs the packages of the extra `ringkey[livekit]`, which it imports when a tool is made.
"""

# Annotations are not postponed: LiveKit reads those of the tool, whose names are not global.
import asyncio
import logging
from typing import Any

from ._client import Ringkey
from .errors import RingkeyError

_log = logging.getLogger("ringkey")

_TRANSFER_FAILED = "The transfer failed and nothing was charged. Ask the caller how to continue."
_NO_PHONE = "The caller is not on the phone, so no payment can be taken. Do not raise payment."


def payment_tool(
    ringkey: Ringkey, *, merchant_id: str, return_to: str | None = None, timeout: float = 10, **checkout: Any
) -> Any:
    """The tool `take_payment`, for the `tools` of an agent. The model chooses the order and nothing else.

    The tool says the checkout's `agent_message`. If payment is required, it then refers the caller's SIP participant
    to the payment line. The address of the line never reaches the model.

    Args:
        ringkey: A key of scope `agent` is enough.
        merchant_id: The merchant that gets paid.
        return_to: A SIP URI or number of your inbound trunk. The caller comes back there in a new room.
        timeout: How long to wait for data from Ringkey, in seconds.
        checkout: Further fields of `create_checkout`, such as `language`.
    """
    from livekit import api, rtc
    from livekit.agents import RunContext, function_tool, get_job_context

    if return_to is not None:
        checkout["return_to"] = return_to

    async def take_payment(context: RunContext, order_id: str) -> str | None:
        """Call once, when the order is complete and the caller is ready to pay.

        Args:
            order_id: The ID of the order.
        """
        job = get_job_context()
        on_phone = rtc.ParticipantKind.PARTICIPANT_KIND_SIP
        caller = next((each for each in job.room.remote_participants.values() if each.kind == on_phone), None)
        if caller is None:
            return _NO_PHONE
        # From the call, never from the model. A withheld number is absent.
        number = caller.attributes.get("sip.phoneNumber")
        try:
            created = await asyncio.to_thread(
                ringkey.create_checkout,
                merchant_id=merchant_id,
                platform_call_id=job.room.name,
                order_id=order_id,
                timeout=timeout,
                **({"caller_phone": number} if number else {}),
                **checkout,
            )
        except RingkeyError as error:
            _log.error("create_checkout failed: %s, request %s", error.code, error.request_id)
            return error.agent_message or "Do not raise payment."
        await context.session.say(created["agent_message"], allow_interruptions=False)
        if created["transfer_to"] is None:
            return f"The caller has heard: {created['agent_message']}"
        request = api.TransferSIPParticipantRequest(
            room_name=job.room.name, participant_identity=caller.identity, transfer_to=created["transfer_to"]
        )
        try:
            await job.api.sip.transfer_sip_participant(request)
        except Exception as error:
            # Its text may contain the address of the line.
            _log.error("LiveKit could not transfer the caller: %s", type(error).__name__)
            return _TRANSFER_FAILED
        return None

    return function_tool(take_payment)
