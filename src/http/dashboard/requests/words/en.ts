/** English words of the requests' pages. */
export const en = {
  title: 'Requests',
  lead: 'API requests made with your keys. Kept for 30 days, without secrets.',
  label: 'Requests, newest first',
  kind: 'Request',
  filters: { status: 'Status', error: 'Error', operation: 'Operation', key: 'Key' },
  heads: {
    request: 'Request',
    status: 'Status',
    error: 'Error',
    key: 'Key',
    duration: 'Duration',
    created: 'Created',
  },
  noKey: 'No key',
  empty: {
    title: 'No requests yet',
    text: 'Each request made with one of your keys appears here for 30 days, with its response.',
    action: 'API reference',
  },
  requestBody: 'Request body',
  responseBody: 'Response body',
  withoutBody: 'No body.',
  facts: {
    error: 'Error',
    field: 'Field',
    duration: 'Duration',
    key: 'Key',
    keyName: 'Key name',
    source: 'Source',
    created: 'Created',
  },
};

export type RequestWords = typeof en;
