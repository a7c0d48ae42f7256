-- Written by SqliteSaver 1.0.4: the tool node threw, and its task still waits
CREATE TABLE IF NOT EXISTS checkpoints (
  thread_id TEXT NOT NULL,
  checkpoint_ns TEXT NOT NULL DEFAULT '',
  checkpoint_id TEXT NOT NULL,
  parent_checkpoint_id TEXT,
  type TEXT,
  checkpoint BLOB,
  metadata BLOB,
  PRIMARY KEY (thread_id, checkpoint_ns, checkpoint_id)
);
CREATE TABLE IF NOT EXISTS writes (
  thread_id TEXT NOT NULL,
  checkpoint_ns TEXT NOT NULL DEFAULT '',
  checkpoint_id TEXT NOT NULL,
  task_id TEXT NOT NULL,
  idx INTEGER NOT NULL,
  channel TEXT NOT NULL,
  type TEXT,
  value BLOB,
  PRIMARY KEY (thread_id, checkpoint_ns, checkpoint_id, task_id, idx)
);
INSERT INTO checkpoints VALUES('t1','','1f1e1187-e5aa-6350-ffff-a46e982997e9',null,'json',CAST('{"v":4,"id":"1f1e1187-e5aa-6350-ffff-a46e982997e9","ts":"2026-11-15T17:17:54.053Z","channel_values":{"messages":[],"__start__":{"messages":[{"lc":1,"type":"constructor","id":["langchain_core","messages","SystemMessage"],"kwargs":{"content":"sys","additional_kwargs":{},"response_metadata":{}}},{"lc":1,"type":"constructor","id":["langchain_core","messages","HumanMessage"],"kwargs":{"content":"use tools","additional_kwargs":{},"response_metadata":{}}}]},"__pregel_tasks":[]},"channel_versions":{"__start__":1},"versions_seen":{"__input__":{}}}' AS BLOB),CAST('{"source":"input","step":-1,"parents":{}}' AS BLOB));
INSERT INTO checkpoints VALUES('t1','','1f1e1187-e5ec-6200-8000-2ddcb46204d1','1f1e1187-e5aa-6350-ffff-a46e982997e9','json',CAST('{"v":4,"id":"1f1e1187-e5ec-6200-8000-2ddcb46204d1","ts":"2026-11-15T17:17:54.081Z","channel_values":{"messages":[{"lc":1,"type":"constructor","id":["langchain_core","messages","SystemMessage"],"kwargs":{"content":"sys","additional_kwargs":{},"response_metadata":{},"id":"edd2092f-2b06-467a-9659-ac886af99b50"}},{"lc":1,"type":"constructor","id":["langchain_core","messages","HumanMessage"],"kwargs":{"content":"use tools","additional_kwargs":{},"response_metadata":{},"id":"a27059be-26c9-4006-b4d9-d783fbd3b705"}}],"__pregel_tasks":[],"branch:to:agent":null},"channel_versions":{"__start__":2,"messages":2,"branch:to:agent":2},"versions_seen":{"__input__":{},"__start__":{"__start__":1}}}' AS BLOB),CAST('{"source":"loop","step":0,"parents":{}}' AS BLOB));
INSERT INTO checkpoints VALUES('t1','','1f1e1187-e61c-6f40-8001-ef36233c6f4e','1f1e1187-e5ec-6200-8000-2ddcb46204d1','json',CAST('{"v":4,"id":"1f1e1187-e61c-6f40-8001-ef36233c6f4e","ts":"2026-11-15T17:17:54.100Z","channel_values":{"messages":[{"lc":1,"type":"constructor","id":["langchain_core","messages","SystemMessage"],"kwargs":{"content":"sys","additional_kwargs":{},"response_metadata":{},"id":"edd2092f-2b06-467a-9659-ac886af99b50"}},{"lc":1,"type":"constructor","id":["langchain_core","messages","HumanMessage"],"kwargs":{"content":"use tools","additional_kwargs":{},"response_metadata":{},"id":"a27059be-26c9-4006-b4d9-d783fbd3b705"}},{"lc":1,"type":"constructor","id":["langchain_core","messages","AIMessage"],"kwargs":{"content":"","tool_calls":[{"id":"call_a","name":"fast","args":{"x":1}},{"id":"call_b","name":"slow","args":{}}],"invalid_tool_calls":[],"additional_kwargs":{},"response_metadata":{},"id":"a33801bd-3318-4e28-b009-85c8754b8e05"}}],"__pregel_tasks":[],"branch:to:tools":"agent"},"channel_versions":{"__start__":2,"messages":3,"branch:to:agent":3,"branch:to:tools":3},"versions_seen":{"__input__":{},"__start__":{"__start__":1},"agent":{"branch:to:agent":2}}}' AS BLOB),CAST('{"source":"loop","step":1,"parents":{}}' AS BLOB));
INSERT INTO writes VALUES('t1','','1f1e1187-e5aa-6350-ffff-a46e982997e9','f4c16024-9489-5d17-9db8-239309635c92',0,'messages','json',CAST('[{"lc":1,"type":"constructor","id":["langchain_core","messages","SystemMessage"],"kwargs":{"content":"sys","additional_kwargs":{},"response_metadata":{}}},{"lc":1,"type":"constructor","id":["langchain_core","messages","HumanMessage"],"kwargs":{"content":"use tools","additional_kwargs":{},"response_metadata":{}}}]' AS BLOB));
INSERT INTO writes VALUES('t1','','1f1e1187-e5aa-6350-ffff-a46e982997e9','f4c16024-9489-5d17-9db8-239309635c92',1,'branch:to:agent','json',CAST('null' AS BLOB));
INSERT INTO writes VALUES('t1','','1f1e1187-e5ec-6200-8000-2ddcb46204d1','ba0e2747-503b-55da-8c71-4a7eca13c4cc',0,'messages','json',CAST('[{"lc":1,"type":"constructor","id":["langchain_core","messages","AIMessage"],"kwargs":{"content":"","tool_calls":[{"id":"call_a","name":"fast","args":{"x":1}},{"id":"call_b","name":"slow","args":{}}],"invalid_tool_calls":[],"additional_kwargs":{},"response_metadata":{},"id":"a33801bd-3318-4e28-b009-85c8754b8e05"}}]' AS BLOB));
INSERT INTO writes VALUES('t1','','1f1e1187-e5ec-6200-8000-2ddcb46204d1','ba0e2747-503b-55da-8c71-4a7eca13c4cc',1,'branch:to:tools','json',CAST('"agent"' AS BLOB));
INSERT INTO writes VALUES('t1','','1f1e1187-e61c-6f40-8001-ef36233c6f4e','ef981d85-1635-5aef-8403-4d2ef28339df',-1,'__error__','json',CAST('{"message":"boom","name":"Error"}' AS BLOB));
