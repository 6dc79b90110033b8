"""The signatures of this library against what the product sends: RINGKEY_SIGNED has examples of it."""

import base64
import json
import os
import time
import unittest

from ringkey import CallOutcome, SignatureVerificationError, verify_sip_headers, verify_webhook

SIGNED = json.loads(os.environ["RINGKEY_SIGNED"])
WEBHOOK = SIGNED["webhook"]
SIP = SIGNED["sip"]
OTHER_SECRET = base64.b64encode(b"other").decode()


class WebhookTest(unittest.TestCase):
    def verify(self, **change):
        given = {"body": WEBHOOK["body"], "headers": WEBHOOK["headers"], "secret": WEBHOOK["secret"], **change}
        return verify_webhook(given.pop("body"), given.pop("headers"), given.pop("secret"), **given)

    def test_returns_the_event_of_a_delivery(self):
        event = json.loads(WEBHOOK["body"])
        capitals = {name.title(): value for name, value in WEBHOOK["headers"].items()}
        self.assertEqual(self.verify(), event)
        self.assertEqual(self.verify(body=WEBHOOK["body"].encode(), headers=capitals), event)

    def test_accepts_either_secret_of_an_endpoint_while_both_are_valid(self):
        self.assertEqual(self.verify(secret=WEBHOOK["old_secret"])["type"], "checkout.completed")

    def test_rejects_a_delivery_that_is_not_from_ringkey_or_not_recent(self):
        headers = WEBHOOK["headers"]
        for change in (
            {"headers": {**headers, "webhook-id": "evt_2"}},
            {"headers": {**headers, "Webhook-Timestamp": "1"}},
            {"headers": {**headers, "webhook-signature": "v1,é"}},
            {"headers": {}},
            {"body": WEBHOOK["body"].replace("succeeded", "failed")},
            {"secret": "whsec_" + OTHER_SECRET},
            {"now": time.time() + 400},
            {"now": time.time() - 400},
        ):
            with self.subTest(change=change), self.assertRaises(SignatureVerificationError):
                self.verify(**change)

    def test_an_empty_secret_verifies_nothing(self):
        with self.assertRaises(ValueError):
            self.verify(secret="whsec_")


class SipHeadersTest(unittest.TestCase):
    headers = {name: value for name, value in SIP["headers"].items() if name != "User-to-User"}
    user_to_user = SIP["headers"]["User-to-User"]

    def test_reads_the_outcome_of_a_returned_call(self):
        for headers in (self.headers, {"user-to-user": self.user_to_user}):
            with self.subTest(headers=headers):
                self.assertEqual(verify_sip_headers(headers, SIP["secret"]), CallOutcome(**SIP["outcome"]))

    def test_rejects_headers_that_are_not_from_ringkey_or_not_recent(self):
        for headers, secret, now in (
            ({**self.headers, "X-Ringkey-Outcome": "succeeded"}, SIP["secret"], None),
            ({**self.headers, "x-ringkey-outcome": "succeeded"}, SIP["secret"], None),
            ({**self.headers, "X-Ringkey-Amount": ""}, SIP["secret"], None),
            ({**self.headers, "X-Ringkey-Order": "é"}, SIP["secret"], None),
            ({"user-to-user": self.user_to_user.replace("6f3d", "6f3e")}, SIP["secret"], None),
            ({}, SIP["secret"], None),
            (self.headers, OTHER_SECRET, None),
            (self.headers, SIP["secret"], time.time() + 400),
        ):
            with self.subTest(headers=headers, now=now), self.assertRaises(SignatureVerificationError):
                verify_sip_headers(headers, secret, now=now)

    def test_an_empty_secret_verifies_nothing(self):
        with self.assertRaises(ValueError):
            verify_sip_headers(self.headers, "")
