"""Retries, time limits and errors, against a server that answers as a test says."""

import threading
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from ringkey import ApiConnectionError, ApiError, RateLimitError, Ringkey, RingkeyError

OK = (200, '{"ok": true}', {})
CLOSE = None


def failure(status, kind="api_error", retry_after="0"):
    headers = {} if retry_after is None else {"Retry-After": retry_after}
    return (status, f'{{"error": {{"type": "{kind}", "code": "any", "message": "No."}}}}', headers)


class Handler(BaseHTTPRequestHandler):
    def answer(self):
        server = self.server
        self.server.body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        reply = server.replies[min(len(server.requests), len(server.replies) - 1)]
        server.requests.append((self.path, self.headers))
        if reply is CLOSE:
            self.close_connection = True
            return
        if callable(reply):
            reply()
            return
        status, text, headers = reply
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", **headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = answer

    def log_message(self, *_args):
        pass


class RequestTest(unittest.TestCase):
    def client(self, *replies, **options):
        """A client of a server that answers with these replies, in order, and then with the last one."""
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.replies = replies
        self.server.requests = []
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        return Ringkey("rk_test_key", f"http://127.0.0.1:{self.server.server_port}/", **options)

    @property
    def requests(self):
        return self.server.requests

    def test_sends_a_file_as_it_is_with_its_content_type(self):
        client = self.client(OK)
        client.set_merchant_logo("mer_1", file=b"<svg/>", content_type="image/svg+xml")
        [(path, headers)] = self.requests
        self.assertEqual((path, headers["Content-Type"]), ("/v1/merchants/mer_1/logo", "image/svg+xml"))
        self.assertEqual(self.server.body, b"<svg/>")

    def test_sends_a_post_again_with_the_same_idempotency_key(self):
        limited, in_progress = failure(429, "rate_limit_error"), failure(409, "idempotency_error")
        for reply in (failure(503), failure(408), limited, in_progress, CLOSE):
            with self.subTest(reply=reply):
                ringkey = self.client(reply, OK)
                self.assertEqual(ringkey.send_link(checkout_session_id="cs_1"), {"ok": True})
                first, second = [headers["Idempotency-Key"] for _, headers in self.requests]
                self.assertRegex(first, "^[0-9a-f-]{36}$")
                self.assertEqual(first, second)

    def test_sends_the_idempotency_key_that_it_is_given_and_none_with_a_get(self):
        ringkey = self.client(OK)
        ringkey.send_link(checkout_session_id="cs_1", idempotency_key="order_1")
        ringkey.retrieve_account()
        self.assertEqual([headers["Idempotency-Key"] for _, headers in self.requests], ["order_1", None])

    def test_repeats_a_change_after_a_429_and_not_after_a_503_or_a_lost_connection(self):
        ringkey = self.client(failure(429, "rate_limit_error"), OK, failure(503), CLOSE)
        ringkey.change_merchant("mer_1", business_name="New")
        for _ in range(2):
            with self.assertRaises(RingkeyError):
                ringkey.delete_card("card_1")
        self.assertEqual(len(self.requests), 4)

    def test_throws_the_last_error_after_the_retries(self):
        ringkey = self.client(failure(429, "rate_limit_error"), max_retries=3)
        with self.assertRaises(RateLimitError):
            ringkey.retrieve_account()
        self.assertEqual(len(self.requests), 4)

    def test_does_not_wait_for_a_long_or_unreadable_retry_after(self):
        for value in ("31", "Thu, 26 Nov 2026 12:00:00 GMT"):
            with self.subTest(value=value):
                ringkey = self.client(failure(503, retry_after=value))
                with self.assertRaises(ApiError):
                    ringkey.retrieve_account()
                self.assertEqual(len(self.requests), 1)

    def test_does_not_repeat_other_errors(self):
        for status in (400, 402, 404, 424, 500):
            with self.subTest(status=status):
                ringkey = self.client(failure(status))
                with self.assertRaises(ApiError) as raised:
                    ringkey.retrieve_account()
                self.assertEqual((raised.exception.status, len(self.requests)), (status, 1))

    def test_does_not_follow_a_redirect_so_that_no_other_server_gets_the_key(self):
        for status in (301, 302, 307, 308):
            with self.subTest(status=status):
                ringkey = self.client((status, "{}", {"Location": "/elsewhere"}))
                with self.assertRaises(ApiError) as raised:
                    ringkey.retrieve_account()
                self.assertEqual((raised.exception.code, len(self.requests)), ("invalid_answer", 1))

    def test_raises_an_api_error_for_an_answer_that_is_not_json(self):
        for status in (200, 502):
            with self.subTest(status=status), self.assertRaises(ApiError) as raised:
                self.client((status, "<html>", {})).retrieve_account()
            self.assertEqual((raised.exception.code, raised.exception.status), ("invalid_answer", status))

    def test_raises_a_timeout_if_no_answer_arrives_in_time(self):
        answered = threading.Event()
        self.addCleanup(answered.set)
        ringkey = self.client(answered.wait, timeout=0.05, max_retries=0)
        with self.assertRaises(ApiConnectionError) as raised:
            ringkey.retrieve_account()
        self.assertEqual(raised.exception.code, "timeout")

    def test_leaves_out_what_is_not_given_and_escapes_ids_and_queries(self):
        ringkey = self.client(OK)
        ringkey.retrieve_order("a/b?c", merchant_id="mer 1")
        ringkey.list_charges()
        paths = [path for path, _ in self.requests]
        self.assertEqual(paths, ["/v1/orders/a%2Fb%3Fc?merchant_id=mer+1", "/v1/charges"])

    def test_rejects_an_id_that_would_make_another_path(self):
        for each in ("", ".", ".."):
            with self.subTest(each=each), self.assertRaises(ValueError):
                self.client(OK).retrieve_key(each)

    def test_shows_its_key_in_no_text(self):
        ringkey = self.client(CLOSE, max_retries=0)
        with self.assertRaises(ApiConnectionError) as raised:
            ringkey.retrieve_account()
        for shown in (repr(ringkey), repr(vars(ringkey)), repr(raised.exception), repr(vars(raised.exception))):
            self.assertNotIn("rk_test_key", shown)

    def test_rejects_a_wrong_key_or_address(self):
        for key, url in (("", "https://a.example"), ("rk\n", "https://a.example"), ("rk", "a.example"), ("rk", "file:///")):
            with self.subTest(key=key, url=url), self.assertRaises(ValueError):
                Ringkey(key, url)
