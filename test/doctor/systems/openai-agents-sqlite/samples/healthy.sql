-- A session with two calls side by side, and another one between its rows
CREATE TABLE IF NOT EXISTS agent_sessions (
    session_id TEXT PRIMARY KEY,
    created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP,
    updated_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP
);
CREATE TABLE IF NOT EXISTS agent_messages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    session_id TEXT NOT NULL,
    message_data TEXT NOT NULL,
    created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP,
    FOREIGN KEY (session_id) REFERENCES agent_sessions (session_id)
        ON DELETE CASCADE
);
CREATE INDEX IF NOT EXISTS idx_agent_messages_session_id ON agent_messages (session_id, id);
INSERT INTO agent_sessions VALUES('user_123','2026-07-01 09:00:00','2026-07-01 09:05:00');
INSERT INTO agent_sessions VALUES('user_456','2026-07-01 09:00:30','2026-07-01 09:04:00');
INSERT INTO agent_messages VALUES(1,'user_123','{"content": "What is the weather in Lisbon and Porto?", "role": "user"}','2026-07-01 09:00:00');
INSERT INTO agent_messages VALUES(2,'user_123','{"id": "rs_1", "summary": [], "type": "reasoning", "encrypted_content": "gAAAAABo"}','2026-07-01 09:00:00');
INSERT INTO agent_messages VALUES(3,'user_456','{"content": "Hi", "role": "user"}','2026-07-01 09:01:00');
INSERT INTO agent_messages VALUES(4,'user_123','{"arguments": "{\"city\": \"Lisbon\"}", "call_id": "call_1", "name": "weather", "type": "function_call", "id": "fc_1", "status": "completed"}','2026-07-01 09:01:00');
INSERT INTO agent_messages VALUES(5,'user_123','{"arguments": "{\"city\": \"Porto\"}", "call_id": "call_2", "name": "weather", "type": "function_call", "id": "fc_2", "status": "completed"}','2026-07-01 09:01:00');
INSERT INTO agent_messages VALUES(6,'user_123','{"call_id": "call_1", "output": "24 \u00b0C", "type": "function_call_output"}','2026-07-01 09:01:00');
INSERT INTO agent_messages VALUES(7,'user_123','{"call_id": "call_2", "output": "An error occurred while running the tool. Please try again.", "type": "function_call_output"}','2026-07-01 09:01:00');
INSERT INTO agent_messages VALUES(8,'user_123','{"id": "msg_1", "content": [{"annotations": [], "text": "24 in Lisbon; Porto failed.", "type": "output_text", "logprobs": []}], "role": "assistant", "status": "completed", "type": "message"}','2026-07-01 09:01:00');
INSERT INTO agent_messages VALUES(9,'user_456','{"id": "msg_b1", "content": [{"annotations": [], "text": "Hello!", "type": "output_text", "logprobs": []}], "role": "assistant", "status": "completed", "type": "message"}','2026-07-01 09:01:00');
