-- Healthy, from before June 2026: results are rows of text, without words for success.
PRAGMA journal_mode = WAL;
PRAGMA foreign_keys = ON;
-- users is reduced to the columns other rows need (real table has more columns);
-- the three ai_* tables carry the full column set after migrations 007+009+012+014.
create table if not exists users (id text primary key, email text not null);
create table if not exists ai_provider_credentials (
  id text primary key,
  user_id text not null references users(id) on delete cascade,
  provider_id text not null,
  auth_mode text not null,
  display_label text not null,
  ciphertext blob, iv blob, base_url text, key_fingerprint text,
  created_at text not null default (strftime('%Y-%m-%dT%H:%M:%fZ','now')),
  updated_at text not null default (strftime('%Y-%m-%dT%H:%M:%fZ','now')),
  last_used_at text,
  constraint ai_creds_authmode_check check (auth_mode in ('apiKey','baseUrl'))
);
create table if not exists ai_conversations (
  id text primary key,
  user_id text not null references users(id) on delete cascade,
  scope text not null,
  title text not null,
  credential_id text references ai_provider_credentials(id) on delete set null,
  model_id text not null,
  prompt_tokens_total integer not null default 0,
  completion_tokens_total integer not null default 0,
  cost_usd_total real not null default 0,
  created_at text not null default (strftime('%Y-%m-%dT%H:%M:%fZ','now')),
  updated_at text not null default (strftime('%Y-%m-%dT%H:%M:%fZ','now')),
  deleted_at text,
  cache_read_tokens_total integer not null default 0,
  cache_creation_tokens_total integer not null default 0,
  context_tokens integer not null default 0,
  constraint ai_conv_scope_check check (scope in ('site','content','data','plugin'))
);
create index if not exists ai_conv_user_scope_idx on ai_conversations (user_id, scope, updated_at desc) where deleted_at is null;
create index if not exists ai_conv_deleted_idx on ai_conversations (deleted_at) where deleted_at is not null;
create table if not exists ai_messages (
  id text primary key,
  conversation_id text not null references ai_conversations(id) on delete cascade,
  position integer not null,
  role text not null,
  content_json text not null,
  tool_call_id text,
  tool_name text,
  prompt_tokens integer not null default 0,
  completion_tokens integer not null default 0,
  cost_usd real not null default 0,
  created_at text not null default (strftime('%Y-%m-%dT%H:%M:%fZ','now')),
  cache_read_tokens integer not null default 0,
  cache_creation_tokens integer not null default 0,
  constraint ai_msg_role_check check (role in ('user','assistant','tool'))
);
create unique index if not exists ai_msg_conv_position_idx on ai_messages (conversation_id, position);

begin;
insert into users(id,email) values('usr_admin','admin@example.test');
insert into ai_provider_credentials(id,user_id,provider_id,auth_mode,display_label) values('cred_1','usr_admin','anthropic','apiKey','Anthropic');
insert into ai_conversations(id,user_id,scope,title,credential_id,model_id,created_at,updated_at) values('conv_legacy_0000000001','usr_admin','site','Old times','cred_1','claude-sonnet-4-5','2026-06-03T08:00:00.000Z','2026-06-03 08:09:00');
insert into ai_messages(id,conversation_id,position,role,content_json,tool_call_id,tool_name,created_at) values('msg_l0_00000000000000','conv_legacy_0000000001',0,'user','[{"kind":"text","text":"Build a hero"}]',null,null,'2026-06-03T08:00:00.000Z');
insert into ai_messages(id,conversation_id,position,role,content_json,tool_call_id,tool_name,created_at) values('msg_l1_00000000000000','conv_legacy_0000000001',1,'assistant','[{"kind":"text","text":"On it."}]',null,null,'2026-06-03T08:01:00.000Z');
insert into ai_messages(id,conversation_id,position,role,content_json,tool_call_id,tool_name,created_at) values('msg_l2_00000000000000','conv_legacy_0000000001',2,'assistant','[{"kind":"toolCall","toolCallId":"call_0","toolName":"insertHtml","input":{"html":"<h1>\u00e9</h1>"}}]','call_0','insertHtml','2026-06-03T08:02:00.000Z');
insert into ai_messages(id,conversation_id,position,role,content_json,tool_call_id,tool_name,created_at) values('msg_l3_00000000000000','conv_legacy_0000000001',3,'assistant','[{"kind":"toolCall","toolCallId":"call_1","toolName":"site_apply_css","input":{"css":"h1{}"}}]','call_1','site_apply_css','2026-06-03T08:02:00.000Z');
insert into ai_messages(id,conversation_id,position,role,content_json,tool_call_id,tool_name,created_at) values('msg_l4_00000000000000','conv_legacy_0000000001',4,'tool','[{"kind":"text","text":""}]','call_0','insertHtml','2026-06-03T08:03:00.000Z');
insert into ai_messages(id,conversation_id,position,role,content_json,tool_call_id,tool_name,created_at) values('msg_l5_00000000000000','conv_legacy_0000000001',5,'tool','[{"kind":"text","text":"Unknown selector."}]','call_1','site_apply_css','2026-06-03T08:03:00.000Z');
insert into ai_messages(id,conversation_id,position,role,content_json,tool_call_id,tool_name,created_at,prompt_tokens,completion_tokens,cost_usd) values('msg_l6_00000000000000','conv_legacy_0000000001',7,'assistant','[{"kind":"text","text":"The hero is in, without its style."}]',null,null,'2026-06-03T08:04:00.000Z',3400,310,0.0076);
insert into ai_messages(id,conversation_id,position,role,content_json,tool_call_id,tool_name,created_at) values('msg_l7_00000000000000','conv_legacy_0000000001',8,'user','[{"kind":"text","text":"Again, please"}]',null,null,'2026-06-03T08:05:00.000Z');
insert into ai_messages(id,conversation_id,position,role,content_json,tool_call_id,tool_name,created_at) values('msg_l8_00000000000000','conv_legacy_0000000001',9,'assistant','[{"kind":"toolCall","toolCallId":"call_0","toolName":"site_apply_css","input":{"css":"h1{}"}}]','call_0','site_apply_css','2026-06-03T08:06:00.000Z');
insert into ai_messages(id,conversation_id,position,role,content_json,tool_call_id,tool_name,created_at) values('msg_l9_00000000000000','conv_legacy_0000000001',10,'tool','[{"kind":"text","text":""}]','call_0','site_apply_css','2026-06-03T08:06:00.000Z');
commit;
