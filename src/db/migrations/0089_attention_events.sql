-- Up Migration
-- Webhook events about attention items. They are about no session, like test events, and for all endpoints of their type.
set local lock_timeout = '5s';

alter table events
  drop constraint events_check,
  drop constraint events_check1,
  add constraint session_of_event
    check ((type = 'test' or type like 'attention.%') = (session_id is null)) not valid,
  add constraint endpoint_of_test_event check ((type = 'test') = (webhook_endpoint_id is not null)) not valid;
