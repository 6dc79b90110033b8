"""The client against the API that RINGKEY_URL names."""

import os
import unittest

from ringkey import AuthenticationError, CardError, IdempotencyError, InvalidRequestError, Ringkey

URL = os.environ["RINGKEY_URL"]
CALLER = {"merchant_id": "mer_demo_diner", "caller_phone": "+15550101234"}


class ClientTest(unittest.TestCase):
    ringkey = Ringkey(os.environ["RINGKEY_KEY"], URL)

    def test_creates_a_checkout_charges_the_saved_card_and_reads_the_session(self):
        checkout = self.ringkey.create_checkout(**CALLER, order_id="order_1001", allow_repeat=True)
        self.assertRegex(checkout["transfer_to"], "^sip:cs_")
        session_id = checkout["checkout_session_id"]
        charge = self.ringkey.charge(checkout_session_id=session_id, instrument_id=checkout["default_card_id"])
        self.assertEqual((charge["status"], charge["amount_cents"]), ("succeeded", 4250))
        session = self.ringkey.retrieve_checkout_session(session_id)
        self.assertEqual(session["session_status"], "complete")
        charges = self.ringkey.list_charges(checkout_session_id=session_id, limit=1)
        self.assertEqual((len(charges["charges"]), charges["has_more"]), (1, False))
        refund = self.ringkey.create_refund(charge=charge["charge_id"], amount_cents=100)
        self.assertEqual(self.ringkey.retrieve_refund(refund["refund_id"])["amount_cents"], 100)

    def test_sends_a_post_without_a_body(self):
        secret = self.ringkey.roll_header_signing_secret()
        self.assertIn("header_signing_secret", secret)

    def test_creates_changes_and_deletes_a_webhook_endpoint(self):
        created = self.ringkey.create_webhook_endpoint(
            url="https://agents.example.com/ringkey", events=["checkout.completed"]
        )
        endpoint_id = created["webhook_endpoint_id"]
        self.assertTrue(self.ringkey.change_webhook_endpoint(endpoint_id, disabled=True)["disabled"])
        self.assertTrue(self.ringkey.delete_webhook_endpoint(endpoint_id)["deleted"])

    def test_sends_none_as_null(self):
        changed = self.ringkey.change_account(page_terms_url="https://example.com/terms")
        self.assertEqual(changed["page_terms_url"], "https://example.com/terms")
        self.assertIsNone(self.ringkey.change_account(page_terms_url=None)["page_terms_url"])

    def test_returns_the_statistics_since_a_time(self):
        statistics = self.ringkey.retrieve_statistics(from_="2026-11-20T12:00:00Z", to="2026-11-21T12:00:00Z")
        self.assertEqual(statistics["period"]["from"], "2026-11-20T12:00:00.000Z")

    def test_gets_the_same_session_for_the_same_idempotency_key_and_an_error_for_other_details(self):
        first = self.ringkey.create_checkout(**CALLER, amount_cents=500, idempotency_key="call-py")
        self.assertEqual(self.ringkey.create_checkout(**CALLER, amount_cents=500, idempotency_key="call-py"), first)
        with self.assertRaises(IdempotencyError):
            self.ringkey.create_checkout(**CALLER, amount_cents=501, idempotency_key="call-py")

    def test_raises_a_typed_error_with_the_code_the_status_and_the_request_id(self):
        with self.assertRaises(InvalidRequestError) as raised:
            self.ringkey.retrieve_checkout_session("cs_unknown")
        error = raised.exception
        self.assertEqual((error.code, error.status, error.agent_message), ("session_not_found", 404, None))
        self.assertRegex(error.request_id, "^req_")
        with self.assertRaises(AuthenticationError):
            Ringkey("rk_test_unknown", URL).retrieve_account()

    def test_raises_a_card_error_with_the_words_for_the_caller_after_a_decline(self):
        caller = {**CALLER, "caller_phone": "+15550109876"}
        card = self.ringkey.save_card(**caller, token="tok_insufficient_funds")
        checkout = self.ringkey.create_checkout(**caller, amount_cents=500)
        with self.assertRaises(CardError) as raised:
            self.ringkey.charge(
                checkout_session_id=checkout["checkout_session_id"], instrument_id=card["instrument_id"]
            )
        error = raised.exception
        self.assertEqual((error.code, error.agent_action), ("card_declined", "offer_different_card"))
        self.assertIn("card", error.agent_message)
        self.assertEqual(error.details["decline_code"], "insufficient_funds")
