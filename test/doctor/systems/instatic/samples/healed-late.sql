-- The late result stands behind its step, and the call that was cut off has the result that Instatic writes for it.
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
insert into ai_conversations(id,user_id,scope,title,credential_id,model_id,created_at,updated_at) values('conv_gallery_000000001','usr_admin','site','Gallery','cred_1','claude-sonnet-4-5','2026-06-03T08:00:00.000Z','2026-06-03 08:09:00');
insert into ai_messages(id,conversation_id,position,role,content_json,tool_call_id,tool_name,created_at) values('msg_u0_00000000000000','conv_gallery_000000001',0,'user','[{"kind":"text","text":"Add a gallery with a caption"}]',null,null,'2026-06-03T08:00:00.000Z');
insert into ai_messages(id,conversation_id,position,role,content_json,tool_call_id,tool_name,created_at) values('msg_A_000000000000000','conv_gallery_000000001',1,'assistant','[{"kind":"toolCall","toolCallId":"toolu_A","toolName":"insertHtml","input":{"parentId":"root","depth":1.0}}]','toolu_A','insertHtml','2026-06-03T08:01:00.000Z');
insert into ai_messages(id,conversation_id,position,role,content_json,tool_call_id,tool_name,created_at) values('msg_B_000000000000000','conv_gallery_000000001',2,'assistant','[{"kind":"toolCall","toolCallId":"toolu_B","toolName":"site_apply_css","input":{ "css": "#g{gap:1e1px}" }}]','toolu_B','site_apply_css','2026-06-03T08:02:00.000Z');
insert into ai_messages(id,conversation_id,position,role,content_json,tool_call_id,tool_name,created_at) values('msg_tA_00000000000000','conv_gallery_000000001',3,'tool','[{"kind":"toolResult","ok":true}]','toolu_A','insertHtml','2026-06-03T08:03:00.000Z');
insert into ai_messages(id,conversation_id,position,role,content_json,tool_call_id,tool_name,created_at) values('msg_tB_00000000000000','conv_gallery_000000001',4,'tool','[{"kind":"toolResult","ok":true}]','toolu_B','site_apply_css','2026-06-03T08:05:00.000Z');
insert into ai_messages(id,conversation_id,position,role,content_json,tool_call_id,tool_name,created_at) values('msg_u1_00000000000000','conv_gallery_000000001',5,'user','[{"kind":"text","text":"Are you still there?"}]',null,null,'2026-06-03T08:04:00.000Z');
insert into ai_messages(id,conversation_id,position,role,content_json,tool_call_id,tool_name,created_at,prompt_tokens,completion_tokens,cost_usd) values('msg_w_000000000000000','conv_gallery_000000001',6,'assistant','[{"kind":"text","text":"Yes: the gallery is in."}]',null,null,'2026-06-03T08:06:00.000Z',3600,290,0.0081);
insert into ai_messages(id,conversation_id,position,role,content_json,tool_call_id,tool_name,created_at) values('msg_u2_00000000000000','conv_gallery_000000001',7,'user','[{"kind":"text","text":"Now the footer"}]',null,null,'2026-06-03T08:07:00.000Z');
insert into ai_messages(id,conversation_id,position,role,content_json,tool_call_id,tool_name,created_at) values('msg_C_000000000000000','conv_gallery_000000001',8,'assistant','[{"kind":"toolCall","toolCallId":"toolu_C","toolName":"read_document","input":{}}]','toolu_C','read_document','2026-06-03T08:08:00.000Z');
insert into ai_messages(id,conversation_id,position,role,content_json,tool_call_id,tool_name,created_at) values('AyGmEhovEBcbNCL8F6-_A','conv_gallery_000000001',9,'tool','[{"kind":"toolResult","ok":false,"error":"Tool call did not complete — the previous turn was interrupted before a result was produced."}]','toolu_C','read_document','2026-06-03T08:08:00.000Z');
commit;
