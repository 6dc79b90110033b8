/** Code that verifies webhooks, in five languages: for the docs and for the page of an endpoint. The tests run Node.js and Python. */

export interface VerifySnippet {
  language: string;
  code: string;
}

export const VERIFY_NODE = `import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks'; // npm install standardwebhooks

const webhook = new Webhook(process.env.SIGNING_SECRET); // whsec_…

createServer(async (request, response) => {
  // The raw body, before any JSON parser.
  const body = Buffer.concat(await request.toArray()).toString();
  let event;
  try {
    // Throws if the signature is wrong or older than five minutes.
    event = webhook.verify(body, request.headers);
  } catch {
    response.writeHead(401).end();
    return;
  }
  response.writeHead(204).end(); // Answer first, then do the work.
  console.log(event.id, event.type, event.data.outcome);
}).listen(process.env.PORT ?? 8000);`;

export const VERIFY_PYTHON = `import base64, hashlib, hmac, json, time

def verify(headers, body, secret):
    """Returns the event, or None if it is not from Ringkey or older than five minutes.

    headers: lowercase names. body: the raw bytes. secret: whsec_…
    """
    timestamp = headers.get("webhook-timestamp", "")
    if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > 300:
        return None
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{headers.get('webhook-id', '')}.{timestamp}.".encode() + body
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    for signature in headers.get("webhook-signature", "").split():
        version, _, value = signature.partition(",")
        if version == "v1" and hmac.compare_digest(value.encode(), expected):
            return json.loads(body)
    return None`;

const VERIFY_PHP = `<?php

/**
 * Returns the event, or null if it is not from Ringkey or older than five minutes.
 *
 * $headers: lowercase names. $body: the raw body, file_get_contents('php://input'). $secret: whsec_…
 */
function verify(array $headers, string $body, string $secret): ?array
{
    $id = $headers['webhook-id'] ?? '';
    $timestamp = $headers['webhook-timestamp'] ?? '';
    if (!ctype_digit($timestamp) || abs(time() - (int) $timestamp) > 300) {
        return null;
    }
    $key = base64_decode(substr($secret, strlen('whsec_')));
    $hash = hash_hmac('sha256', $id . '.' . $timestamp . '.' . $body, $key, true);
    $expected = 'v1,' . base64_encode($hash);
    foreach (explode(' ', $headers['webhook-signature'] ?? '') as $signature) {
        if (hash_equals($expected, $signature)) {
            return json_decode($body, true);
        }
    }
    return null;
}`;

const VERIFY_RUBY = String.raw`require 'json'
require 'openssl'

# Returns the event, or nil if it is not from Ringkey or older than five minutes.
#
# headers: lowercase names. body: the raw body, request.body.read. secret: whsec_…
def verify(headers, body, secret)
  id, timestamp, signatures =
    headers.values_at('webhook-id', 'webhook-timestamp', 'webhook-signature').map(&:to_s)
  return nil unless timestamp.match?(/\A\d+\z/) && (Time.now.to_i - timestamp.to_i).abs <= 300

  key = secret.delete_prefix('whsec_').unpack1('m')
  hash = OpenSSL::HMAC.digest('SHA256', key, [id, timestamp, body].map(&:b).join('.'))
  expected = "v1,#{[hash].pack('m0')}"
  return nil unless signatures.split.any? { |signature| OpenSSL.secure_compare(expected, signature) }

  JSON.parse(body)
end`;

const VERIFY_GO = `package webhooks

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Verify returns an error if the request is not from Ringkey or older than five minutes.
// body is the raw body, before any JSON parser. secret is whsec_…
func Verify(header http.Header, body []byte, secret string) error {
	id, timestamp := header.Get("webhook-id"), header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil {
		return errors.New("no valid webhook-timestamp")
	}
	if age := time.Now().Unix() - seconds; age > 300 || age < -300 {
		return errors.New("webhook-timestamp is not within five minutes")
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return err
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.%s", id, timestamp, body)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	for _, signature := range strings.Fields(header.Get("webhook-signature")) {
		if hmac.Equal([]byte(signature), []byte(expected)) {
			return nil
		}
	}
	return errors.New("no valid webhook-signature")
}`;

export const VERIFY_SNIPPETS: readonly VerifySnippet[] = [
  { language: 'Node.js', code: VERIFY_NODE },
  { language: 'Python', code: VERIFY_PYTHON },
  { language: 'PHP', code: VERIFY_PHP },
  { language: 'Ruby', code: VERIFY_RUBY },
  { language: 'Go', code: VERIFY_GO },
];
