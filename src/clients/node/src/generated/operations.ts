// Generated from the OpenAPI document: see "Client libraries" in .github/CONTRIBUTING.md.

import type { ApiRequest, RequestOptions } from '../request.ts';
import { pathOf } from '../request.ts';
import type * as types from './types.ts';

/** A method for every operation. */
export abstract class Operations {
  protected abstract send<Answer>(request: ApiRequest, options?: RequestOptions): Promise<Answer>;

  /** Create a checkout. */
  createCheckout(body: types.CreateCheckoutRequest, options?: RequestOptions): Promise<types.CreateCheckoutResponse> {
    return this.send({ method: 'POST', path: '/v1/create_checkout', body }, options);
  }

  /** Retrieve a checkout session. */
  retrieveCheckoutSession(checkoutSessionId: string, query: types.RetrieveCheckoutSessionQuery = {}, options?: RequestOptions): Promise<types.CheckoutSession> {
    return this.send({ method: 'GET', path: pathOf`/v1/checkout_sessions/${checkoutSessionId}`, query }, options);
  }

  /** List checkout sessions. */
  listCheckoutSessions(query: types.ListCheckoutSessionsQuery = {}, options?: RequestOptions): Promise<types.ListCheckoutSessionsResponse> {
    return this.send({ method: 'GET', path: '/v1/checkout_sessions', query }, options);
  }

  /** Retrieve totals of checkout sessions. */
  retrieveCheckoutSessionTotals(query: types.RetrieveCheckoutSessionTotalsQuery = {}, options?: RequestOptions): Promise<types.CheckoutSessionTotals> {
    return this.send({ method: 'GET', path: '/v1/checkout_sessions/totals', query }, options);
  }

  /** Create a key. */
  createKey(body: types.CreateKeyRequest = {}, options?: RequestOptions): Promise<types.CreateKeyResponse> {
    return this.send({ method: 'POST', path: '/v1/keys', body }, options);
  }

  /** List keys. */
  listKeys(query: types.ListKeysQuery = {}, options?: RequestOptions): Promise<types.ListKeysResponse> {
    return this.send({ method: 'GET', path: '/v1/keys', query }, options);
  }

  /** Retrieve a key. */
  retrieveKey(id: string, options?: RequestOptions): Promise<types.Key> {
    return this.send({ method: 'GET', path: pathOf`/v1/keys/${id}` }, options);
  }

  /** Revoke a key. */
  revokeKey(id: string, options?: RequestOptions): Promise<types.Key> {
    return this.send({ method: 'DELETE', path: pathOf`/v1/keys/${id}` }, options);
  }

  /** Roll a key. */
  rollKey(id: string, body: types.RollKeyRequest = {}, options?: RequestOptions): Promise<types.RollKeyResponse> {
    return this.send({ method: 'POST', path: pathOf`/v1/keys/${id}/roll`, body }, options);
  }

  /** Identify a caller. */
  identify(body: types.IdentifyRequest, options?: RequestOptions): Promise<types.IdentifyResponse> {
    return this.send({ method: 'POST', path: '/v1/identify', body }, options);
  }

  /** Charge a saved card. */
  charge(body: types.ChargeRequest, options?: RequestOptions): Promise<types.ChargeResponse> {
    return this.send({ method: 'POST', path: '/v1/charge', body }, options);
  }

  /** Text a pay link. */
  sendLink(body: types.SendLinkRequest, options?: RequestOptions): Promise<types.SendLinkResponse> {
    return this.send({ method: 'POST', path: '/v1/send_link', body }, options);
  }

  /** List calls. */
  listCalls(query: types.ListCallsQuery = {}, options?: RequestOptions): Promise<types.ListCallsResponse> {
    return this.send({ method: 'GET', path: '/v1/calls', query }, options);
  }

  /** Retrieve totals of calls. */
  retrieveCallTotals(query: types.RetrieveCallTotalsQuery = {}, options?: RequestOptions): Promise<types.CallTotals> {
    return this.send({ method: 'GET', path: '/v1/calls/totals', query }, options);
  }

  /** Retrieve a call with its steps. */
  retrieveCall(callId: string, options?: RequestOptions): Promise<types.CallWithTimeline> {
    return this.send({ method: 'GET', path: pathOf`/v1/calls/${callId}` }, options);
  }

  /** End a call. */
  endCall(callId: string, options?: RequestOptions): Promise<types.CallWithTimeline> {
    return this.send({ method: 'POST', path: pathOf`/v1/calls/${callId}/end` }, options);
  }

  /** List charges. */
  listCharges(query: types.ListChargesQuery = {}, options?: RequestOptions): Promise<types.ListChargesResponse> {
    return this.send({ method: 'GET', path: '/v1/charges', query }, options);
  }

  /** Charge a saved card without the caller. */
  createCharge(body: types.CreateChargeRequest, options?: RequestOptions): Promise<types.ListedCharge> {
    return this.send({ method: 'POST', path: '/v1/charges', body }, options);
  }

  /** Retrieve totals of charges. */
  retrieveChargeTotals(query: types.RetrieveChargeTotalsQuery = {}, options?: RequestOptions): Promise<types.ChargeTotals> {
    return this.send({ method: 'GET', path: '/v1/charges/totals', query }, options);
  }

  /** Retrieve a charge. */
  retrieveCharge(chargeId: string, options?: RequestOptions): Promise<types.ListedCharge> {
    return this.send({ method: 'GET', path: pathOf`/v1/charges/${chargeId}` }, options);
  }

  /** Acknowledge a late charge. */
  acknowledgeCharge(chargeId: string, options?: RequestOptions): Promise<types.ListedCharge> {
    return this.send({ method: 'POST', path: pathOf`/v1/charges/${chargeId}/acknowledge` }, options);
  }

  /** Retrieve statistics. */
  retrieveStatistics(query: types.RetrieveStatisticsQuery = {}, options?: RequestOptions): Promise<types.Statistics> {
    return this.send({ method: 'GET', path: '/v1/statistics', query }, options);
  }

  /** Retrieve the report of a month. */
  retrieveMonthReport(query: types.RetrieveMonthReportQuery, options?: RequestOptions): Promise<types.MonthReport> {
    return this.send({ method: 'GET', path: '/v1/reports/month', query }, options);
  }

  /** Refund a charge. */
  createRefund(body: types.CreateRefundRequest, options?: RequestOptions): Promise<types.Refund> {
    return this.send({ method: 'POST', path: '/v1/refunds', body }, options);
  }

  /** List refunds. */
  listRefunds(query: types.ListRefundsQuery = {}, options?: RequestOptions): Promise<types.ListRefundsResponse> {
    return this.send({ method: 'GET', path: '/v1/refunds', query }, options);
  }

  /** Retrieve totals of refunds. */
  retrieveRefundTotals(query: types.RetrieveRefundTotalsQuery = {}, options?: RequestOptions): Promise<types.RefundTotals> {
    return this.send({ method: 'GET', path: '/v1/refunds/totals', query }, options);
  }

  /** Retrieve a refund. */
  retrieveRefund(id: string, options?: RequestOptions): Promise<types.Refund> {
    return this.send({ method: 'GET', path: pathOf`/v1/refunds/${id}` }, options);
  }

  /** List disputes. */
  listDisputes(query: types.ListDisputesQuery = {}, options?: RequestOptions): Promise<types.ListDisputesResponse> {
    return this.send({ method: 'GET', path: '/v1/disputes', query }, options);
  }

  /** Retrieve totals of disputes. */
  retrieveDisputeTotals(query: types.RetrieveDisputeTotalsQuery = {}, options?: RequestOptions): Promise<types.DisputeTotals> {
    return this.send({ method: 'GET', path: '/v1/disputes/totals', query }, options);
  }

  /** Retrieve a dispute. */
  retrieveDispute(id: string, options?: RequestOptions): Promise<types.Dispute> {
    return this.send({ method: 'GET', path: pathOf`/v1/disputes/${id}` }, options);
  }

  /** List payouts. */
  listPayouts(query: types.ListPayoutsQuery = {}, options?: RequestOptions): Promise<types.ListPayoutsResponse> {
    return this.send({ method: 'GET', path: '/v1/payouts', query }, options);
  }

  /** Retrieve totals of payouts. */
  retrievePayoutTotals(query: types.RetrievePayoutTotalsQuery = {}, options?: RequestOptions): Promise<types.PayoutTotals> {
    return this.send({ method: 'GET', path: '/v1/payouts/totals', query }, options);
  }

  /** Retrieve a payout. */
  retrievePayout(id: string, options?: RequestOptions): Promise<types.Payout> {
    return this.send({ method: 'GET', path: pathOf`/v1/payouts/${id}` }, options);
  }

  /** List payout entries. */
  listPayoutEntries(query: types.ListPayoutEntriesQuery = {}, options?: RequestOptions): Promise<types.ListPayoutEntriesResponse> {
    return this.send({ method: 'GET', path: '/v1/payout_entries', query }, options);
  }

  /** Retrieve totals of payout entries. */
  retrievePayoutEntryTotals(query: types.RetrievePayoutEntryTotalsQuery = {}, options?: RequestOptions): Promise<types.PayoutEntryTotals> {
    return this.send({ method: 'GET', path: '/v1/payout_entries/totals', query }, options);
  }

  /** Capture a hold. */
  captureCharge(chargeId: string, body: types.CaptureChargeRequest = {}, options?: RequestOptions): Promise<types.ListedCharge> {
    return this.send({ method: 'POST', path: pathOf`/v1/charges/${chargeId}/capture`, body }, options);
  }

  /** Void a hold. */
  voidCharge(chargeId: string, body: types.VoidChargeRequest = {}, options?: RequestOptions): Promise<types.ListedCharge> {
    return this.send({ method: 'POST', path: pathOf`/v1/charges/${chargeId}/void`, body }, options);
  }

  /** Settle a charge manually. */
  settleCharge(chargeId: string, body: types.SettleChargeRequest, options?: RequestOptions): Promise<types.ListedCharge> {
    return this.send({ method: 'POST', path: pathOf`/v1/charges/${chargeId}/settle`, body }, options);
  }

  /** Settle a refund manually. */
  settleRefund(id: string, body: types.SettleRefundRequest, options?: RequestOptions): Promise<types.Refund> {
    return this.send({ method: 'POST', path: pathOf`/v1/refunds/${id}/settle`, body }, options);
  }

  /** List texts. */
  listTexts(query: types.ListTextsQuery = {}, options?: RequestOptions): Promise<types.ListTextsResponse> {
    return this.send({ method: 'GET', path: '/v1/texts', query }, options);
  }

  /** Retrieve totals of texts. */
  retrieveTextTotals(query: types.RetrieveTextTotalsQuery = {}, options?: RequestOptions): Promise<types.TextTotals> {
    return this.send({ method: 'GET', path: '/v1/texts/totals', query }, options);
  }

  /** List emails. */
  listEmails(query: types.ListEmailsQuery = {}, options?: RequestOptions): Promise<types.ListEmailsResponse> {
    return this.send({ method: 'GET', path: '/v1/emails', query }, options);
  }

  /** Create a merchant. */
  createMerchant(body: types.CreateMerchantRequest, options?: RequestOptions): Promise<types.Merchant> {
    return this.send({ method: 'POST', path: '/v1/merchants', body }, options);
  }

  /** List merchants. */
  listMerchants(query: types.ListMerchantsQuery = {}, options?: RequestOptions): Promise<types.ListMerchantsResponse> {
    return this.send({ method: 'GET', path: '/v1/merchants', query }, options);
  }

  /** Retrieve a merchant. */
  retrieveMerchant(id: string, options?: RequestOptions): Promise<types.Merchant> {
    return this.send({ method: 'GET', path: pathOf`/v1/merchants/${id}` }, options);
  }

  /** Update a merchant. */
  changeMerchant(id: string, body: types.ChangeMerchantRequest = {}, options?: RequestOptions): Promise<types.Merchant> {
    return this.send({ method: 'PATCH', path: pathOf`/v1/merchants/${id}`, body }, options);
  }

  /** Connect the merchant's processor. */
  connectProcessor(id: string, body: types.ConnectProcessorRequest, options?: RequestOptions): Promise<types.Merchant> {
    return this.send({ method: 'POST', path: pathOf`/v1/merchants/${id}/processor`, body }, options);
  }

  /** List what live payments still require. */
  retrieveMerchantStatus(id: string, options?: RequestOptions): Promise<types.RetrieveMerchantStatusResponse> {
    return this.send({ method: 'GET', path: pathOf`/v1/merchants/${id}/status` }, options);
  }

  /** Retrieve the merchant's logo. */
  retrieveMerchantLogo(id: string, options?: RequestOptions): Promise<types.MerchantLogo> {
    return this.send({ method: 'GET', path: pathOf`/v1/merchants/${id}/logo` }, options);
  }

  /** Remove the merchant's logo. */
  removeMerchantLogo(id: string, options?: RequestOptions): Promise<types.MerchantLogo> {
    return this.send({ method: 'DELETE', path: pathOf`/v1/merchants/${id}/logo` }, options);
  }

  /** Set the merchant's logo. */
  setMerchantLogo(id: string, file: Uint8Array, contentType: 'image/png' | 'image/svg+xml', options?: RequestOptions): Promise<types.MerchantLogo> {
    return this.send({ method: 'PUT', path: pathOf`/v1/merchants/${id}/logo`, file, contentType }, options);
  }

  /** Set the secret of processor notifications. */
  setNotificationSecret(id: string, body: types.SetNotificationSecretRequest, options?: RequestOptions): Promise<types.SetNotificationSecretResponse> {
    return this.send({ method: 'POST', path: pathOf`/v1/merchants/${id}/processor/notification_secret`, body }, options);
  }

  /** Retrieve the settings of processor notifications. */
  retrieveNotificationSettings(id: string, options?: RequestOptions): Promise<types.RetrieveNotificationSettingsResponse> {
    return this.send({ method: 'GET', path: pathOf`/v1/merchants/${id}/processor/notifications` }, options);
  }

  /** Look up an order. */
  retrieveOrder(id: string, query: types.RetrieveOrderQuery, options?: RequestOptions): Promise<types.RetrieveOrderResponse> {
    return this.send({ method: 'GET', path: pathOf`/v1/orders/${id}`, query }, options);
  }

  /** Save a card. */
  saveCard(body: types.SaveCardRequest, options?: RequestOptions): Promise<types.SaveCardResponse> {
    return this.send({ method: 'POST', path: '/v1/cards', body }, options);
  }

  /** List a caller's cards at a merchant. */
  listCards(query: types.ListCardsQuery, options?: RequestOptions): Promise<types.ListCardsResponse> {
    return this.send({ method: 'GET', path: '/v1/cards', query }, options);
  }

  /** Delete a saved card. */
  deleteCard(id: string, options?: RequestOptions): Promise<types.DeleteCardResponse> {
    return this.send({ method: 'DELETE', path: pathOf`/v1/cards/${id}` }, options);
  }

  /** Find callers by number. */
  findCallers(query: types.FindCallersQuery, options?: RequestOptions): Promise<types.FindCallersResponse> {
    return this.send({ method: 'GET', path: '/v1/callers', query }, options);
  }

  /** Write a note about a caller. */
  changeCallerNote(body: types.ChangeCallerNoteRequest, options?: RequestOptions): Promise<types.Caller> {
    return this.send({ method: 'POST', path: '/v1/callers/note', body }, options);
  }

  /** Erase a caller by number. */
  eraseCaller(body: types.EraseCallerRequest, options?: RequestOptions): Promise<types.EraseCallerResponse> {
    return this.send({ method: 'POST', path: '/v1/callers/erase', body }, options);
  }

  /** Erase a caller. */
  eraseConsumer(id: string, options?: RequestOptions): Promise<types.EraseConsumerResponse> {
    return this.send({ method: 'DELETE', path: pathOf`/v1/consumers/${id}` }, options);
  }

  /** Retrieve the account. */
  retrieveAccount(options?: RequestOptions): Promise<types.Account> {
    return this.send({ method: 'GET', path: '/v1/account' }, options);
  }

  /** Update the account. */
  changeAccount(body: types.ChangeAccountRequest = {}, options?: RequestOptions): Promise<types.Account> {
    return this.send({ method: 'PATCH', path: '/v1/account', body }, options);
  }

  /** Roll the secret of the SIP headers. */
  rollHeaderSigningSecret(options?: RequestOptions): Promise<types.RollHeaderSigningSecretResponse> {
    return this.send({ method: 'POST', path: '/v1/account/roll_header_signing_secret' }, options);
  }

  /** Create a webhook endpoint. */
  createWebhookEndpoint(body: types.CreateWebhookEndpointRequest, options?: RequestOptions): Promise<types.CreateWebhookEndpointResponse> {
    return this.send({ method: 'POST', path: '/v1/webhook_endpoints', body }, options);
  }

  /** List webhook endpoints. */
  listWebhookEndpoints(query: types.ListWebhookEndpointsQuery = {}, options?: RequestOptions): Promise<types.ListWebhookEndpointsResponse> {
    return this.send({ method: 'GET', path: '/v1/webhook_endpoints', query }, options);
  }

  /** Update a webhook endpoint. */
  changeWebhookEndpoint(id: string, body: types.ChangeWebhookEndpointRequest = {}, options?: RequestOptions): Promise<types.WebhookEndpoint> {
    return this.send({ method: 'PATCH', path: pathOf`/v1/webhook_endpoints/${id}`, body }, options);
  }

  /** Delete a webhook endpoint. */
  deleteWebhookEndpoint(id: string, options?: RequestOptions): Promise<types.DeleteWebhookEndpointResponse> {
    return this.send({ method: 'DELETE', path: pathOf`/v1/webhook_endpoints/${id}` }, options);
  }

  /** Roll the signing secret. */
  rollWebhookSecret(id: string, body: types.RollWebhookSecretRequest = {}, options?: RequestOptions): Promise<types.RollWebhookSecretResponse> {
    return this.send({ method: 'POST', path: pathOf`/v1/webhook_endpoints/${id}/roll_secret`, body }, options);
  }

  /** Send failed events again. */
  resendFailedEvents(id: string, body: types.ResendFailedEventsRequest, options?: RequestOptions): Promise<types.ResendFailedEventsResponse> {
    return this.send({ method: 'POST', path: pathOf`/v1/webhook_endpoints/${id}/resend_failed`, body }, options);
  }

  /** Send a test event. */
  sendTestEvent(id: string, options?: RequestOptions): Promise<types.Event> {
    return this.send({ method: 'POST', path: pathOf`/v1/webhook_endpoints/${id}/test` }, options);
  }

  /** Create an alert target. */
  createAlertTarget(body: types.CreateAlertTargetRequest = {}, options?: RequestOptions): Promise<types.AlertTarget> {
    return this.send({ method: 'POST', path: '/v1/alert_targets', body }, options);
  }

  /** List alert targets. */
  listAlertTargets(query: types.ListAlertTargetsQuery = {}, options?: RequestOptions): Promise<types.ListAlertTargetsResponse> {
    return this.send({ method: 'GET', path: '/v1/alert_targets', query }, options);
  }

  /** Update an alert target. */
  changeAlertTarget(id: string, body: types.ChangeAlertTargetRequest = {}, options?: RequestOptions): Promise<types.AlertTarget> {
    return this.send({ method: 'PATCH', path: pathOf`/v1/alert_targets/${id}`, body }, options);
  }

  /** Delete an alert target. */
  deleteAlertTarget(id: string, options?: RequestOptions): Promise<types.DeleteAlertTargetResponse> {
    return this.send({ method: 'DELETE', path: pathOf`/v1/alert_targets/${id}` }, options);
  }

  /** Send a test message. */
  sendTestAlert(id: string, options?: RequestOptions): Promise<types.AlertTarget> {
    return this.send({ method: 'POST', path: pathOf`/v1/alert_targets/${id}/test` }, options);
  }

  /** List deliveries to a webhook endpoint. */
  listWebhookDeliveries(id: string, query: types.ListWebhookDeliveriesQuery = {}, options?: RequestOptions): Promise<types.ListWebhookDeliveriesResponse> {
    return this.send({ method: 'GET', path: pathOf`/v1/webhook_endpoints/${id}/deliveries`, query }, options);
  }

  /** List deliveries of an event. */
  listEventDeliveries(id: string, options?: RequestOptions): Promise<types.ListEventDeliveriesResponse> {
    return this.send({ method: 'GET', path: pathOf`/v1/events/${id}/deliveries` }, options);
  }

  /** List delivery attempts of an event. */
  listEventAttempts(id: string, options?: RequestOptions): Promise<types.ListEventAttemptsResponse> {
    return this.send({ method: 'GET', path: pathOf`/v1/events/${id}/attempts` }, options);
  }

  /** Retrieve the health of a webhook endpoint. */
  retrieveWebhookHealth(id: string, options?: RequestOptions): Promise<types.RetrieveWebhookHealthResponse> {
    return this.send({ method: 'GET', path: pathOf`/v1/webhook_endpoints/${id}/health` }, options);
  }

  /** List events. */
  listEvents(query: types.ListEventsQuery = {}, options?: RequestOptions): Promise<types.ListEventsResponse> {
    return this.send({ method: 'GET', path: '/v1/events', query }, options);
  }

  /** Retrieve totals of events. */
  retrieveEventTotals(query: types.RetrieveEventTotalsQuery = {}, options?: RequestOptions): Promise<types.EventTotals> {
    return this.send({ method: 'GET', path: '/v1/events/totals', query }, options);
  }

  /** Retrieve an event. */
  retrieveEvent(id: string, options?: RequestOptions): Promise<types.ListedEvent> {
    return this.send({ method: 'GET', path: pathOf`/v1/events/${id}` }, options);
  }

  /** Send an event again. */
  resendEvent(id: string, body: types.ResendEventRequest = {}, options?: RequestOptions): Promise<types.ListedEvent> {
    return this.send({ method: 'POST', path: pathOf`/v1/events/${id}/resend`, body }, options);
  }

  /** List attention items. */
  listAttentionItems(query: types.ListAttentionItemsQuery = {}, options?: RequestOptions): Promise<types.ListAttentionItemsResponse> {
    return this.send({ method: 'GET', path: '/v1/attention_items', query }, options);
  }

  /** Mark an attention item as done. */
  finishAttentionItem(id: string, options?: RequestOptions): Promise<types.AttentionItem> {
    return this.send({ method: 'POST', path: pathOf`/v1/attention_items/${id}/finish` }, options);
  }

  /** Quiet an attention item. */
  quietAttentionItem(id: string, body: types.QuietAttentionItemRequest, options?: RequestOptions): Promise<types.AttentionItem> {
    return this.send({ method: 'POST', path: pathOf`/v1/attention_items/${id}/quiet`, body }, options);
  }

  /** Show an attention item again. */
  reopenAttentionItem(id: string, options?: RequestOptions): Promise<types.AttentionItem> {
    return this.send({ method: 'POST', path: pathOf`/v1/attention_items/${id}/reopen` }, options);
  }

  /** List requests. */
  listRequests(query: types.ListRequestsQuery = {}, options?: RequestOptions): Promise<types.ListRequestsResponse> {
    return this.send({ method: 'GET', path: '/v1/requests', query }, options);
  }

  /** Retrieve a request and its answer. */
  retrieveRequest(requestId: string, options?: RequestOptions): Promise<types.RequestWithBodies> {
    return this.send({ method: 'GET', path: pathOf`/v1/requests/${requestId}` }, options);
  }

  /** List audit events. */
  listAuditEvents(query: types.ListAuditEventsQuery = {}, options?: RequestOptions): Promise<types.ListAuditEventsResponse> {
    return this.send({ method: 'GET', path: '/v1/audit_events', query }, options);
  }
}
