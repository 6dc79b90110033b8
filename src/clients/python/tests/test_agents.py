"""The tools for LiveKit and Pipecat, against the API that RINGKEY_URL names."""

import inspect
import os
import typing
import unittest

from ringkey import Ringkey
from ringkey.livekit import payment_tool
from ringkey.pipecat import Payment

from . import livekit_fake as livekit

RINGKEY = Ringkey(os.environ["RINGKEY_KEY"], os.environ["RINGKEY_URL"])
MERCHANT = "mer_demo_diner"
CALLER = "+15550101234"
REPEAT = {"merchant_id": MERCHANT, "allow_repeat": True}
TRANSFERRING = "I'll transfer you"


def platform_call_id(transfer_to):
    session_id = transfer_to.removeprefix("sip:").partition("-")[0]
    session = RINGKEY.retrieve_checkout_session(session_id)
    return session["platform_call_id"]


class LiveKitTest(unittest.IsolatedAsyncioTestCase):
    def setUp(self):
        self.events = []
        browser = livekit.Participant(livekit.STANDARD, "supervisor", {})
        caller = livekit.Participant(livekit.SIP, "caller", {"sip.phoneNumber": CALLER})
        self.job = livekit.Job(self.events, [browser, caller])
        livekit.install(self.job)
        self.addCleanup(livekit.uninstall)

    async def take_payment(self, order_id="order_1001", **options):
        tool = payment_tool(RINGKEY, **{**REPEAT, **options})
        return await tool(livekit.RunContext(livekit.Session(self.events)), order_id)

    async def test_says_the_message_and_refers_the_caller_to_the_payment_line(self):
        answer = await self.take_payment(return_to="sip:agent@agents.example.com")
        said, (_, room, identity, transfer_to) = self.events
        self.assertEqual((said[0], said[2], room, identity), ("say", False, "room-7f3a", "caller"))
        self.assertIn(TRANSFERRING, said[1])
        self.assertEqual(platform_call_id(transfer_to), "room-7f3a")
        self.assertIsNone(answer)

    async def test_tells_the_model_what_the_caller_heard_if_the_order_is_already_paid(self):
        paid = RINGKEY.create_checkout(**REPEAT, caller_phone=CALLER, order_id="order_1002")
        RINGKEY.charge(checkout_session_id=paid["checkout_session_id"], instrument_id=paid["default_card_id"])
        answer = await self.take_payment(order_id="order_1002", allow_repeat=False)
        [(_, said, _)] = self.events
        self.assertEqual(answer, f"The caller has heard: {said}")

    async def test_tells_the_model_when_the_transfer_fails_and_never_the_address(self):
        self.job.error = RuntimeError("sip:secret")
        with self.assertLogs("ringkey") as logs:
            answer = await self.take_payment()
        self.assertIn("nothing was charged", answer)
        self.assertNotIn("sip:", answer + str(logs.output))

    async def test_has_the_agent_say_nothing_about_an_error_of_the_integration(self):
        with self.assertLogs("ringkey") as logs:
            answer = await self.take_payment(merchant_id="mer_unknown")
        self.assertEqual((answer, self.events), ("Do not raise payment.", []))
        self.assertRegex(logs.output[0], "merchant_not_found, request req_")

    async def test_takes_no_payment_from_a_caller_who_is_not_on_the_phone(self):
        self.job.room.remote_participants.pop("caller")
        self.assertIn("not on the phone", await self.take_payment())
        self.assertEqual(self.events, [])


class Transport:
    """The two methods of Pipecat's DailyTransport. Both return an error or None."""

    def __init__(self, error=None):
        self.calls, self.error = [], error

    async def sip_call_transfer(self, settings):
        self.calls.append(("sip_call_transfer", settings))
        return self.error

    async def sip_refer(self, settings):
        self.calls.append(("sip_refer", settings))
        return self.error


class Params:
    """FunctionCallParams, as far as the function uses it."""

    async def result_callback(self, result):
        self.result = result


class PipecatTest(unittest.IsolatedAsyncioTestCase):
    async def take_payment(self, transport, **options):
        options = {**REPEAT, "room_name": "room-7f3a", "caller_phone": CALLER, **options}
        payment, params = Payment(RINGKEY, transport, **options), Params()
        await payment.take_payment(params, order_id="order_1001")
        return payment, params.result

    async def test_tells_the_model_the_message_and_then_transfers_the_caller(self):
        transport = Transport()
        payment, result = await self.take_payment(transport, return_to="sip:room-7f3a@agents.example.com")
        self.assertEqual((list(result), transport.calls), (["say"], []))
        self.assertIn(TRANSFERRING, result["say"])
        self.assertTrue(await payment.transfer())
        [(method, settings)] = transport.calls
        self.assertEqual((method, list(settings)), ("sip_call_transfer", ["toEndPoint"]))
        self.assertEqual(platform_call_id(settings["toEndPoint"]), "room-7f3a")
        self.assertIn(payment.checkout_session_id, settings["toEndPoint"])
        self.assertFalse(await payment.transfer())

    async def test_has_the_form_of_a_direct_function(self):
        function = Payment(RINGKEY, Transport(), merchant_id=MERCHANT, room_name="room-7f3a").take_payment
        self.assertTrue(inspect.iscoroutinefunction(function))
        self.assertEqual(list(inspect.signature(function).parameters), ["params", "order_id"])
        self.assertIs(typing.get_type_hints(function)["order_id"], str)

    async def test_sends_a_refer_for_the_session_of_the_caller(self):
        transport = Transport()
        payment, _ = await self.take_payment(transport, refer_session_id="session-1")
        self.assertTrue(await payment.transfer())
        [(method, settings)] = transport.calls
        self.assertEqual((method, settings["sessionId"]), ("sip_refer", "session-1"))

    async def test_says_that_the_transfer_failed_and_never_the_address(self):
        payment, _ = await self.take_payment(Transport(error="cannot dial sip:secret"))
        with self.assertLogs("ringkey") as logs:
            self.assertFalse(await payment.transfer())
        self.assertNotIn("sip:", str(logs.output))

    async def test_says_nothing_and_transfers_nowhere_after_an_error_of_the_integration(self):
        transport = Transport()
        with self.assertLogs("ringkey"):
            payment, result = await self.take_payment(transport, merchant_id="mer_unknown")
        self.assertEqual(result, {"say": None})
        self.assertFalse(await payment.transfer())
        self.assertEqual(transport.calls, [])
