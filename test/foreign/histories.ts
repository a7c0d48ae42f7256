/** A list that another library, program or service keeps, as it is written there, with nothing wrong in it. */
export interface ForeignHistory {
  /** The library, and where its format is described. */
  readonly name: string
  readonly source: string
  readonly messages: readonly unknown[]
  /** What it is without these elements is broken: a call in it has no result. */
  readonly results?: readonly number[]
  /** What the diagnostic must call it, where it is one of the names that Antiphon knows. */
  readonly known?: string
  /** Lines of it are a store that the doctor reads. */
  readonly isStore?: true
}

const time = '2026-08-12T10:15:00Z'

/** Agent frameworks. */
const frameworks: ForeignHistory[] = [
  {
    name: 'opencode, messages with their parts',
    source: 'packages/opencode/src/session/message-v2.ts, ToolPart',
    known: 'opencode',
    messages: [
      { id: 'msg_1', role: 'user', parts: [{ id: 'prt_1', type: 'text', text: 'Weather in Rome?' }] },
      {
        id: 'msg_2',
        role: 'assistant',
        parts: [
          { id: 'prt_2', type: 'step-start' },
          {
            ...{ id: 'prt_3', type: 'tool', callID: 'call_1', tool: 'weather' },
            state: { status: 'completed', input: { city: 'Rome' }, output: 'sunny', title: '', metadata: {} },
          },
          { id: 'prt_4', type: 'step-finish', reason: 'tool-calls' },
        ],
      },
    ],
  },
  {
    name: 'LlamaIndex',
    source: 'llama_index/core/base/llms/types.py, ChatMessage',
    known: 'LlamaIndex',
    messages: [
      { role: 'user', additional_kwargs: {}, blocks: [{ block_type: 'text', text: 'Weather in Rome?' }] },
      {
        role: 'assistant',
        additional_kwargs: {
          tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Rome"}' } }],
        },
        blocks: [],
      },
      {
        role: 'tool',
        additional_kwargs: { name: 'weather', tool_call_id: 'call_1' },
        blocks: [{ block_type: 'text', text: 'sunny' }],
      },
      { role: 'assistant', additional_kwargs: {}, blocks: [{ block_type: 'text', text: 'It is sunny.' }] },
    ],
    results: [2],
  },
  {
    name: 'LlamaIndex with tool call blocks',
    source: 'llama_index/core/base/llms/types.py, ToolCallBlock',
    known: 'LlamaIndex',
    messages: [
      { role: 'user', additional_kwargs: {}, blocks: [{ block_type: 'text', text: 'Weather in Rome?' }] },
      {
        role: 'assistant',
        additional_kwargs: {},
        blocks: [{ block_type: 'tool_call', tool_call_id: 'call_1', tool_name: 'weather', tool_kwargs: '{}' }],
      },
      {
        role: 'tool',
        additional_kwargs: { tool_call_id: 'call_1' },
        blocks: [{ block_type: 'text', text: 'sunny' }],
      },
    ],
    results: [2],
  },
  {
    name: 'Haystack',
    source: 'haystack/dataclasses/chat_message.py, to_dict',
    known: 'Haystack',
    messages: [
      { role: 'system', meta: {}, name: null, content: [{ text: 'Be brief.' }] },
      { role: 'user', meta: {}, name: null, content: [{ text: 'Weather in Rome?' }] },
      {
        role: 'assistant',
        meta: { model: 'gpt-5' },
        name: null,
        content: [{ tool_call: { tool_name: 'weather', arguments: { city: 'Rome' }, id: 'call_1' } }],
      },
      {
        role: 'tool',
        meta: {},
        name: null,
        content: [
          {
            tool_call_result: {
              result: 'sunny',
              origin: { tool_name: 'weather', arguments: { city: 'Rome' }, id: 'call_1' },
              error: false,
            },
          },
        ],
      },
      { role: 'assistant', meta: {}, name: null, content: [{ text: 'It is sunny.' }] },
    ],
    results: [3],
  },
  {
    name: 'Haystack before 2.9',
    source: 'haystack/dataclasses/chat_message.py, to_dict until 2.8',
    known: 'Haystack',
    messages: [
      { _role: 'user', _meta: {}, _name: null, _content: [{ text: 'Weather in Rome?' }] },
      {
        _role: 'assistant',
        _meta: {},
        _name: null,
        _content: [{ tool_call: { tool_name: 'weather', arguments: {}, id: 'call_1' } }],
      },
      {
        _role: 'tool',
        _meta: {},
        _name: null,
        _content: [{ tool_call_result: { result: 'sunny', origin: { id: 'call_1' }, error: false } }],
      },
    ],
    results: [2],
  },
  {
    name: 'Semantic Kernel (.NET)',
    source: 'Microsoft.SemanticKernel, ChatMessageContent',
    known: 'Semantic Kernel',
    messages: [
      { Role: { Label: 'user' }, Items: [{ $type: 'TextContent', Text: 'Weather in Rome?' }] },
      {
        Role: { Label: 'assistant' },
        Items: [
          { $type: 'FunctionCallContent', Id: 'call_1', PluginName: 'w', FunctionName: 'weather', Arguments: {} },
        ],
        ModelId: 'gpt-5',
      },
      {
        Role: { Label: 'tool' },
        Items: [{ $type: 'FunctionResultContent', CallId: 'call_1', FunctionName: 'weather', Result: 'sunny' }],
      },
    ],
    results: [2],
  },
  {
    name: 'Semantic Kernel (Python)',
    source: 'semantic_kernel/contents/chat_history.py',
    known: 'Semantic Kernel',
    messages: [
      {
        metadata: {},
        content_type: 'message',
        role: 'user',
        items: [{ metadata: {}, content_type: 'text', text: 'Weather in Rome?' }],
      },
      {
        metadata: {},
        content_type: 'message',
        role: 'assistant',
        items: [{ metadata: {}, content_type: 'function_call', id: 'call_1', name: 'w-weather', arguments: '{}' }],
      },
      {
        metadata: {},
        content_type: 'message',
        role: 'tool',
        items: [{ metadata: {}, content_type: 'function_result', id: 'call_1', result: 'sunny', name: 'w-weather' }],
      },
      {
        metadata: {},
        content_type: 'message',
        role: 'assistant',
        items: [{ metadata: {}, content_type: 'text', text: 'It is sunny.' }],
      },
    ],
    results: [2],
  },
  {
    name: 'Microsoft Agent Framework',
    source: 'agent_framework/_types.py, Message.to_dict',
    isStore: true,
    known: 'Agent Framework',
    messages: [
      { type: 'message', role: 'user', contents: [{ type: 'text', text: 'Weather in Rome?' }] },
      {
        type: 'message',
        role: 'assistant',
        contents: [{ type: 'function_call', call_id: 'call_1', name: 'weather', arguments: '{}' }],
      },
      { type: 'message', role: 'tool', contents: [{ type: 'function_result', call_id: 'call_1', result: 'sunny' }] },
      { type: 'message', role: 'assistant', contents: [{ type: 'text', text: 'It is sunny.' }] },
    ],
    results: [2],
  },
  {
    name: 'Microsoft.Extensions.AI',
    source: 'Microsoft.Extensions.AI.Abstractions, ChatMessage as JSON',
    known: 'Agent Framework',
    messages: [
      { role: 'user', contents: [{ $type: 'text', text: 'Weather in Rome?' }], messageId: 'm1' },
      {
        authorName: 'assistant',
        role: 'assistant',
        contents: [{ $type: 'functionCall', callId: 'call_1', name: 'weather', arguments: { city: 'Rome' } }],
      },
      { role: 'tool', contents: [{ $type: 'functionResult', callId: 'call_1', result: 'sunny' }] },
      { role: 'assistant', contents: [{ $type: 'text', text: 'It is sunny.' }] },
    ],
    results: [2],
  },
  {
    name: 'AutoGen model context',
    source: 'autogen_core/models/_types.py, LLMMessage',
    known: 'AutoGen',
    messages: [
      { content: 'Weather in Rome?', source: 'user', type: 'UserMessage' },
      {
        content: [{ id: 'call_1', arguments: '{"city":"Rome"}', name: 'weather' }],
        thought: null,
        source: 'assistant',
        type: 'AssistantMessage',
      },
      {
        content: [{ content: 'sunny', name: 'weather', call_id: 'call_1', is_error: false }],
        type: 'FunctionExecutionResultMessage',
      },
      { content: 'It is sunny.', thought: null, source: 'assistant', type: 'AssistantMessage' },
    ],
    results: [2],
  },
  {
    name: 'AutoGen AgentChat',
    source: 'autogen_agentchat/messages.py',
    known: 'AutoGen',
    messages: [
      { source: 'user', models_usage: null, metadata: {}, content: 'Weather in Rome?', type: 'TextMessage' },
      {
        source: 'assistant',
        models_usage: { prompt_tokens: 50, completion_tokens: 9 },
        metadata: {},
        content: [{ id: 'call_1', arguments: '{}', name: 'weather' }],
        type: 'ToolCallRequestEvent',
      },
      {
        source: 'assistant',
        models_usage: null,
        metadata: {},
        content: [{ content: 'sunny', name: 'weather', call_id: 'call_1', is_error: false }],
        type: 'ToolCallExecutionEvent',
      },
      { source: 'assistant', models_usage: null, metadata: {}, content: 'sunny', type: 'ToolCallSummaryMessage' },
    ],
    results: [2],
  },
  {
    name: 'Google ADK events',
    source: 'google/adk/events/event.py',
    known: 'Google ADK',
    messages: [
      {
        content: { parts: [{ text: 'Weather in Rome?' }], role: 'user' },
        invocation_id: 'e-1',
        author: 'user',
        id: 'a1',
      },
      {
        content: { parts: [{ function_call: { id: 'adk-1', name: 'weather', args: {} } }], role: 'model' },
        invocation_id: 'e-1',
        author: 'weather_agent',
        actions: { state_delta: {} },
        id: 'a2',
      },
      {
        content: {
          parts: [{ function_response: { id: 'adk-1', name: 'weather', response: { result: 'sunny' } } }],
          role: 'user',
        },
        invocation_id: 'e-1',
        author: 'weather_agent',
        id: 'a3',
      },
      { content: { parts: [{ text: 'It is sunny.' }], role: 'model' }, author: 'weather_agent', id: 'a4' },
    ],
    results: [2],
  },
  {
    name: 'smolagents messages',
    source: 'smolagents/models.py, ChatMessage.dict',
    messages: [
      { role: 'system', content: [{ type: 'text', text: 'You are an agent.' }] },
      { role: 'user', content: [{ type: 'text', text: 'Weather in Rome?' }] },
      { role: 'tool-call', content: [{ type: 'text', text: "Calling tools: [{'id': 'call_1', 'type': 'function'}]" }] },
      { role: 'tool-response', content: [{ type: 'text', text: 'Call id: call_1\nObservation:\nsunny' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'It is sunny.' }] },
    ],
    results: [3],
  },
  {
    name: 'smolagents memory steps',
    source: 'smolagents/memory.py, ActionStep.dict',
    messages: [
      { task: 'Weather in Rome?', task_images: null },
      {
        step_number: 1,
        timing: { start_time: 1, end_time: 2 },
        tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'weather', arguments: { city: 'Rome' } } }],
        error: null,
        observations: 'sunny',
        is_final_answer: false,
      },
      { step_number: 2, tool_calls: null, observations: null, action_output: 'It is sunny.', is_final_answer: true },
    ],
  },
  {
    name: 'Letta messages',
    source: 'letta/schemas/letta_message.py',
    messages: [
      { id: 'message-1', date: time, message_type: 'user_message', content: 'Weather in Rome?' },
      {
        id: 'message-2',
        date: time,
        message_type: 'reasoning_message',
        reasoning: 'I look it up.',
        source: 'reasoner_model',
      },
      {
        id: 'message-2',
        date: time,
        message_type: 'tool_call_message',
        tool_call: { name: 'weather', arguments: '{}', tool_call_id: 'call_1' },
      },
      {
        id: 'message-3',
        date: time,
        message_type: 'tool_return_message',
        tool_return: 'sunny',
        status: 'success',
        tool_call_id: 'call_1',
      },
      { id: 'message-4', date: time, message_type: 'assistant_message', content: 'It is sunny.' },
    ],
    results: [3],
  },
  {
    name: 'Inspect AI events',
    source: 'inspect_ai/event, transcript of a sample',
    messages: [
      { uuid: 'u1', span_id: 's1', timestamp: time, event: 'model', model: 'openai/gpt-5', input: [], output: {} },
      {
        uuid: 'u2',
        span_id: 's1',
        timestamp: time,
        event: 'tool',
        type: 'function',
        id: 'call_1',
        function: 'weather',
      },
    ],
  },
  {
    name: 'Inspect AI messages',
    source: 'inspect_ai/model/_chat_message.py',
    messages: [
      { id: 'm1', role: 'user', source: 'input', content: 'Weather in Rome?' },
      {
        id: 'm2',
        role: 'assistant',
        source: 'generate',
        content: '',
        model: 'gpt-5',
        tool_calls: [{ id: 'call_1', function: 'weather', arguments: { city: 'Rome' }, type: 'function' }],
      },
      { id: 'm3', role: 'tool', content: 'sunny', tool_call_id: 'call_1', function: 'weather' },
      { id: 'm4', role: 'assistant', source: 'generate', content: 'It is sunny.' },
    ],
    results: [2],
  },
  {
    name: 'DSPy history',
    source: 'dspy/adapters/types/history.py',
    messages: [
      { question: 'Weather in Rome?', answer: 'It is sunny.' },
      { question: 'And in Berlin?', answer: 'It rains.' },
    ],
  },
  {
    name: 'DSPy ReAct trajectory',
    source: 'dspy/predict/react.py',
    messages: [
      { thought_0: 'I look.', tool_name_0: 'weather', tool_args_0: { city: 'Rome' }, observation_0: 'sunny' },
      { thought_1: 'Done.', tool_name_1: 'finish', tool_args_1: {}, observation_1: 'Completed.' },
    ],
  },
  {
    name: 'Mastra storage messages',
    source: '@mastra/core/agent/message-list, MastraMessageV2',
    messages: [
      {
        id: 'm1',
        role: 'user',
        createdAt: time,
        threadId: 't1',
        resourceId: 'r1',
        content: { format: 2, parts: [{ type: 'text', text: 'Weather in Rome?' }] },
      },
      {
        id: 'm2',
        role: 'assistant',
        createdAt: time,
        threadId: 't1',
        resourceId: 'r1',
        content: {
          format: 2,
          parts: [
            {
              type: 'tool-invocation',
              toolInvocation: { state: 'result', toolCallId: 'call_1', toolName: 'weather', args: {}, result: 'sunny' },
            },
            { type: 'text', text: 'It is sunny.' },
          ],
        },
      },
    ],
  },
  {
    name: 'BeeAI framework',
    source: 'beeai_framework/backend/message.py, to_plain',
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'Weather in Rome?' }] },
      {
        role: 'assistant',
        content: [{ type: 'tool-call', id: 'call_1', tool_name: 'weather', args: '{"city":"Rome"}' }],
      },
      {
        role: 'tool',
        content: [{ type: 'tool-result', result: 'sunny', tool_name: 'weather', tool_call_id: 'call_1' }],
      },
      { role: 'assistant', content: [{ type: 'text', text: 'It is sunny.' }] },
    ],
    results: [2],
  },
  {
    name: 'LiveKit Agents chat context',
    source: 'livekit/agents/llm/chat_context.py, to_dict',
    messages: [
      { id: 'item_1', type: 'message', role: 'user', content: ['Weather in Rome?'], interrupted: false },
      { id: 'item_2', type: 'function_call', call_id: 'call_1', arguments: '{}', name: 'weather' },
      {
        id: 'item_3',
        name: 'weather',
        type: 'function_call_output',
        call_id: 'call_1',
        output: 'sunny',
        is_error: false,
      },
      { id: 'item_4', type: 'message', role: 'assistant', content: ['It is sunny.'], interrupted: false },
    ],
    results: [2],
  },
  {
    name: 'Spring AI',
    source: 'org.springframework.ai.chat.messages, as Jackson writes them',
    messages: [
      { messageType: 'USER', metadata: { messageType: 'USER' }, media: [], text: 'Weather in Rome?' },
      {
        messageType: 'ASSISTANT',
        metadata: {},
        toolCalls: [{ id: 'call_1', type: 'function', name: 'weather', arguments: '{}' }],
        media: [],
        text: '',
      },
      {
        messageType: 'TOOL',
        metadata: {},
        responses: [{ id: 'call_1', name: 'weather', responseData: 'sunny' }],
        text: '',
      },
    ],
    results: [2],
  },
  {
    name: 'LangChain4j',
    source: 'dev.langchain4j.data.message.ChatMessageSerializer',
    messages: [
      { contents: [{ text: 'Weather in Rome?', type: 'TEXT' }], type: 'USER' },
      { toolExecutionRequests: [{ id: 'call_1', name: 'weather', arguments: '{}' }], type: 'AI' },
      { id: 'call_1', toolName: 'weather', text: 'sunny', type: 'TOOL_EXECUTION_RESULT' },
      { text: 'It is sunny.', toolExecutionRequests: [], type: 'AI' },
    ],
    results: [2],
  },
  {
    name: 'Rig',
    source: 'rig-core, completion::Message',
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'Weather in Rome?' }] },
      {
        role: 'assistant',
        content: [{ id: 'call_1', call_id: null, function: { name: 'weather', arguments: { city: 'Rome' } } }],
      },
      {
        role: 'user',
        content: [{ type: 'toolresult', id: 'call_1', content: [{ type: 'text', text: 'sunny' }] }],
      },
      { role: 'assistant', content: [{ text: 'It is sunny.' }] },
    ],
    results: [2],
  },
  {
    name: 'Genkit',
    source: 'genkit/model, MessageData',
    messages: [
      { role: 'user', content: [{ text: 'Weather in Rome?' }] },
      { role: 'model', content: [{ toolRequest: { ref: 'call_1', name: 'weather', input: { city: 'Rome' } } }] },
      { role: 'tool', content: [{ toolResponse: { ref: 'call_1', name: 'weather', output: 'sunny' } }] },
      { role: 'model', content: [{ text: 'It is sunny.' }] },
    ],
    results: [2],
  },
  {
    name: 'RubyLLM',
    source: 'ruby_llm, Message#to_h',
    messages: [
      { role: 'user', content: 'Weather in Rome?' },
      {
        role: 'assistant',
        content: '',
        tool_calls: { call_1: { id: 'call_1', name: 'weather', arguments: { city: 'Rome' } } },
        model_id: 'gpt-5',
      },
      { role: 'tool', content: 'sunny', tool_call_id: 'call_1' },
      { role: 'assistant', content: 'It is sunny.', model_id: 'gpt-5' },
    ],
    results: [2],
  },
  {
    name: 'Prism (PHP)',
    source: 'prism-php, messages as arrays',
    messages: [
      { type: 'user', content: 'Weather in Rome?', additional_content: [] },
      { type: 'assistant', content: '', tool_calls: [{ id: 'call_1', name: 'weather', arguments: '{}' }] },
      { type: 'tool_result', tool_results: [{ tool_call_id: 'call_1', tool_name: 'weather', result: 'sunny' }] },
      { type: 'assistant', content: 'It is sunny.', tool_calls: [] },
    ],
    results: [2],
  },
  {
    name: 'TanStack AI',
    source: '@tanstack/ai, UIMessage',
    messages: [
      { id: 'm1', role: 'user', parts: [{ type: 'text', content: 'Weather in Rome?' }] },
      {
        id: 'm2',
        role: 'assistant',
        parts: [
          { type: 'tool-call', id: 'call_1', name: 'weather', arguments: '{}', state: 'input-complete' },
          { type: 'tool-result', toolCallId: 'call_1', content: 'sunny', state: 'complete' },
          { type: 'text', content: 'It is sunny.' },
        ],
      },
    ],
  },
  {
    name: 'CrewAI events',
    source: 'crewai/utilities/events',
    messages: [
      { type: 'task_started', timestamp: time, source_type: 'task', context: '', task: 'Weather in Rome?' },
      { type: 'tool_usage_started', timestamp: time, tool_name: 'weather', tool_args: '{}', agent_role: 'Researcher' },
      { type: 'tool_usage_finished', timestamp: time, tool_name: 'weather', tool_args: '{}', output: 'sunny' },
    ],
    results: [2],
  },
  {
    name: 'agno run events',
    source: 'agno/run/agent.py',
    messages: [
      { created_at: 1786529700, event: 'RunStarted', agent_id: 'a', run_id: 'r', session_id: 's', model: 'gpt-5' },
      {
        created_at: 1786529701,
        event: 'ToolCallStarted',
        tool: { tool_call_id: 'call_1', tool_name: 'weather', tool_args: {} },
        run_id: 'r',
      },
      {
        created_at: 1786529702,
        event: 'ToolCallCompleted',
        content: 'sunny',
        tool: { tool_call_id: 'call_1' },
        run_id: 'r',
      },
    ],
    results: [2],
  },
]

/** Protocols, and APIs of providers that are not read. */
const protocols: ForeignHistory[] = [
  {
    name: 'MCP sampling',
    source: 'Model Context Protocol 2025-06-18, SamplingMessage',
    known: 'MCP',
    messages: [
      { role: 'user', content: { type: 'text', text: 'Weather in Rome?' } },
      { role: 'assistant', content: { type: 'text', text: 'It is sunny.' } },
      { role: 'user', content: { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' } },
    ],
  },
  {
    name: 'MCP sampling with tools',
    source: 'Model Context Protocol 2025-11-25, ToolUseContent and ToolResultContent',
    known: 'MCP',
    messages: [
      { role: 'user', content: { type: 'text', text: 'Weather in Rome and Berlin?' } },
      {
        role: 'assistant',
        content: [
          { type: 'tool_use', id: 'call_1', name: 'weather', input: { city: 'Rome' } },
          { type: 'tool_use', id: 'call_2', name: 'weather', input: { city: 'Berlin' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', toolUseId: 'call_1', content: [{ type: 'text', text: 'sunny' }] },
          { type: 'tool_result', toolUseId: 'call_2', content: [{ type: 'text', text: 'rain' }] },
        ],
      },
      { role: 'assistant', content: { type: 'text', text: 'Sunny and rain.' } },
    ],
    results: [2],
  },
  {
    name: 'A2A messages',
    source: 'Agent2Agent protocol 0.3, Message',
    messages: [
      { kind: 'message', messageId: 'm1', role: 'user', parts: [{ kind: 'text', text: 'Weather in Rome?' }] },
      { kind: 'message', messageId: 'm2', role: 'agent', parts: [{ kind: 'data', data: { weather: 'sunny' } }] },
    ],
  },
  {
    name: 'A2A messages as protocol buffers',
    source: 'Agent2Agent protocol 1.0, Message',
    messages: [
      { messageId: 'm1', role: 'ROLE_USER', parts: [{ text: 'Weather in Rome?' }] },
      { messageId: 'm2', role: 'ROLE_AGENT', parts: [{ text: 'It is sunny.' }] },
    ],
  },
  {
    name: 'ACP session updates',
    source: 'Agent Client Protocol, session/update',
    messages: [
      { sessionUpdate: 'user_message_chunk', content: { type: 'text', text: 'Weather in Rome?' } },
      { sessionUpdate: 'tool_call', toolCallId: 'call_1', title: 'weather', kind: 'fetch', status: 'pending' },
      { sessionUpdate: 'tool_call_update', toolCallId: 'call_1', status: 'completed', content: [] },
      { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'It is sunny.' } },
    ],
    results: [2],
  },
  {
    name: 'Gemini Interactions turns',
    source: 'ai.google.dev, Interactions API, turns',
    known: 'old Gemini Interactions',
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'Weather in Rome?' }] },
      { role: 'model', content: [{ type: 'function_call', id: 'call_1', name: 'weather', arguments: {} }] },
      { role: 'user', content: [{ type: 'function_result', call_id: 'call_1', name: 'weather', result: 'sunny' }] },
      { role: 'model', content: [{ type: 'text', text: 'It is sunny.' }] },
    ],
    results: [2],
  },
  {
    name: 'OpenTelemetry messages',
    source: 'OpenTelemetry semantic conventions, gen_ai.input.messages',
    known: 'OpenTelemetry',
    messages: [
      { role: 'user', parts: [{ type: 'text', content: 'Weather in Rome?' }] },
      {
        role: 'assistant',
        parts: [{ type: 'tool_call', id: 'call_1', name: 'weather', arguments: { city: 'Rome' } }],
      },
      { role: 'tool', parts: [{ type: 'tool_call_response', id: 'call_1', result: 'sunny' }] },
      { role: 'assistant', parts: [{ type: 'text', content: 'It is sunny.' }], finish_reason: 'stop' },
    ],
    results: [2],
  },
  {
    name: 'OpenTelemetry messages without calls',
    source: 'OpenTelemetry semantic conventions, gen_ai.output.messages',
    known: 'OpenTelemetry',
    messages: [
      { role: 'system', parts: [{ type: 'text', content: 'Be brief.' }] },
      { role: 'user', parts: [{ type: 'text', content: 'Hello' }] },
      { role: 'assistant', parts: [{ type: 'text', content: 'Hello!' }], finish_reason: 'stop' },
    ],
  },
  {
    name: 'Cohere v1 chat_history',
    source: 'docs.cohere.com, v1/chat',
    messages: [
      { role: 'USER', message: 'Weather in Rome?' },
      { role: 'CHATBOT', message: '', tool_calls: [{ name: 'weather', parameters: { city: 'Rome' } }] },
      {
        role: 'TOOL',
        tool_results: [{ call: { name: 'weather', parameters: { city: 'Rome' } }, outputs: [{ text: 'sunny' }] }],
      },
      { role: 'CHATBOT', message: 'It is sunny.' },
    ],
    results: [2],
  },
  {
    name: 'Anthropic text completions export',
    source: 'Claude.ai, conversations.json, chat_messages',
    messages: [
      { uuid: 'u1', text: 'Weather in Rome?', sender: 'human', created_at: time, attachments: [] },
      {
        uuid: 'u2',
        text: 'It is sunny.',
        sender: 'assistant',
        created_at: time,
        content: [{ type: 'text', text: 'It is sunny.' }],
      },
    ],
  },
  {
    name: 'Claude.ai export with tools',
    source: 'Claude.ai, conversations.json, chat_messages',
    messages: [
      { uuid: 'u1', sender: 'human', content: [{ type: 'text', text: 'Weather in Rome?' }], created_at: time },
      {
        uuid: 'u2',
        sender: 'assistant',
        content: [
          { type: 'tool_use', name: 'weather', input: { city: 'Rome' }, message: 'weather' },
          { type: 'tool_result', name: 'weather', content: [{ type: 'text', text: 'sunny' }], is_error: false },
          { type: 'text', text: 'It is sunny.' },
        ],
        created_at: time,
      },
    ],
  },
  {
    name: 'ChatGPT export',
    source: 'ChatGPT, conversations.json, mapping',
    messages: [
      {
        id: 'n1',
        parent: null,
        children: ['n2'],
        message: {
          id: 'n1',
          author: { role: 'user' },
          content: { content_type: 'text', parts: ['Weather in Rome?'] },
        },
      },
      {
        id: 'n2',
        parent: 'n1',
        children: [],
        message: {
          id: 'n2',
          author: { role: 'assistant' },
          content: { content_type: 'text', parts: ['It is sunny.'] },
        },
      },
    ],
  },
  {
    name: 'ChatGPT export, messages alone',
    source: 'ChatGPT, conversations.json, message',
    messages: [
      {
        id: 'n1',
        author: { role: 'user', name: null, metadata: {} },
        content: { content_type: 'text', parts: ['Weather in Rome?'] },
        status: 'finished_successfully',
        recipient: 'all',
      },
      {
        id: 'n2',
        author: { role: 'assistant', name: null, metadata: {} },
        content: { content_type: 'code', text: 'weather()' },
        recipient: 'weather',
      },
      {
        id: 'n3',
        author: { role: 'tool', name: 'weather', metadata: {} },
        content: { content_type: 'execution_output', text: 'sunny' },
        recipient: 'all',
      },
    ],
    results: [2],
  },
  {
    name: 'OpenAI Assistants messages',
    source: 'platform.openai.com, thread.message',
    known: 'OpenAI Assistants',
    messages: [
      {
        id: 'msg_1',
        object: 'thread.message',
        created_at: 1786529700,
        thread_id: 'thread_1',
        role: 'user',
        content: [{ type: 'text', text: { value: 'Weather in Rome?', annotations: [] } }],
      },
      {
        id: 'msg_2',
        object: 'thread.message',
        created_at: 1786529701,
        assistant_id: 'asst_1',
        thread_id: 'thread_1',
        run_id: 'run_1',
        role: 'assistant',
        content: [{ type: 'text', text: { value: 'It is sunny.', annotations: [] } }],
      },
    ],
  },
  {
    name: 'OpenAI Realtime items',
    source: 'platform.openai.com, realtime.item',
    known: 'OpenAI Realtime',
    messages: [
      {
        id: 'item_1',
        object: 'realtime.item',
        type: 'message',
        role: 'user',
        content: [{ type: 'input_audio', transcript: 'Weather in Rome?' }],
      },
      {
        id: 'item_2',
        object: 'realtime.item',
        type: 'function_call',
        call_id: 'call_1',
        name: 'weather',
        arguments: '{}',
      },
      { id: 'item_3', object: 'realtime.item', type: 'function_call_output', call_id: 'call_1', output: 'sunny' },
      {
        id: 'item_4',
        object: 'realtime.item',
        type: 'message',
        role: 'assistant',
        content: [{ type: 'output_audio', transcript: 'It is sunny.' }],
      },
    ],
    results: [2],
  },
  {
    name: 'OpenAI Harmony',
    source: 'openai-harmony, Conversation.to_json',
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'Weather in Rome?' }] },
      { role: 'assistant', channel: 'analysis', content: [{ type: 'text', text: 'I look it up.' }] },
      {
        role: 'assistant',
        channel: 'commentary',
        recipient: 'functions.weather',
        content_type: '<|constrain|>json',
        content: [{ type: 'text', text: '{"city":"Rome"}' }],
      },
      { role: 'tool', name: 'functions.weather', content: [{ type: 'text', text: 'sunny' }] },
      { role: 'assistant', channel: 'final', content: [{ type: 'text', text: 'It is sunny.' }] },
    ],
    results: [3],
  },
]

/** Programs that keep sessions. */
const programs: ForeignHistory[] = [
  {
    name: 'Goose',
    source: 'block/goose, conversation/message.rs',
    known: 'Goose',
    messages: [
      { id: 'm1', role: 'user', created: 1786529700, content: [{ type: 'text', text: 'Run the tests.' }] },
      {
        id: 'm2',
        role: 'assistant',
        created: 1786529703,
        content: [
          { type: 'text', text: 'I run them.' },
          {
            type: 'toolRequest',
            id: 'call_1',
            toolCall: { status: 'success', value: { name: 'shell', arguments: { command: 'npm test' } } },
          },
        ],
      },
      {
        id: 'm3',
        role: 'user',
        created: 1786529705,
        content: [
          {
            type: 'toolResponse',
            id: 'call_1',
            toolResult: { status: 'success', value: [{ type: 'text', text: '42 passed' }] },
          },
        ],
      },
      { id: 'm4', role: 'assistant', created: 1786529706, content: [{ type: 'text', text: 'They pass.' }] },
    ],
    results: [2],
  },
  {
    name: 'pi messages',
    source: '@mariozechner/pi-ai, Message',
    known: 'pi',
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'Run the tests.' }], timestamp: 1786529706000 },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'I run them.', thinkingSignature: 'c2ln' },
          { type: 'toolCall', id: 'call_1', name: 'bash', arguments: { command: 'npm test' } },
        ],
        api: 'anthropic-messages',
        provider: 'anthropic',
        model: 'claude-sonnet-4-5',
        usage: { input: 1399, output: 18 },
        stopReason: 'toolUse',
        timestamp: 1786529709000,
      },
      {
        role: 'toolResult',
        toolCallId: 'call_1',
        toolName: 'bash',
        content: [{ type: 'text', text: '42 passed' }],
        isError: false,
        timestamp: 1786529712000,
      },
      {
        role: 'assistant',
        content: [{ type: 'text', text: 'They pass.' }],
        api: 'anthropic-messages',
        stopReason: 'stop',
        timestamp: 1786529718000,
      },
    ],
    results: [2],
  },
  {
    name: 'pi session',
    source: 'pi, session file of version 3',
    known: 'pi',
    isStore: true,
    messages: [
      { type: 'session', version: 3, id: '01998bd4', timestamp: time, cwd: '/home/dev/shop' },
      {
        type: 'message',
        id: '890e749b',
        parentId: null,
        timestamp: time,
        message: { role: 'user', content: [{ type: 'text', text: 'Run the tests.' }], timestamp: 1786529706000 },
      },
      {
        type: 'message',
        id: '52b99a37',
        parentId: '890e749b',
        timestamp: time,
        message: {
          role: 'assistant',
          content: [{ type: 'toolCall', id: 'call_1', name: 'bash', arguments: {} }],
          stopReason: 'toolUse',
        },
      },
      {
        type: 'message',
        id: '689aab56',
        parentId: '52b99a37',
        timestamp: time,
        message: { role: 'toolResult', toolCallId: 'call_1', content: [{ type: 'text', text: '42 passed' }] },
      },
    ],
    results: [3],
  },
  {
    name: 'kimi-cli context',
    source: 'kimi-cli, context.jsonl',
    known: 'kimi-cli',
    messages: [
      { role: '_system_prompt', content: 'You are Kimi Code CLI.' },
      { role: '_checkpoint', id: 0 },
      { role: 'user', content: 'Run the tests.' },
      {
        role: 'assistant',
        content: 'I run them.',
        tool_calls: [{ type: 'function', id: 'tool_1', function: { name: 'Shell', arguments: '{}' } }],
      },
      { role: '_usage', token_count: 4100 },
      { role: 'tool', content: [{ type: 'text', text: '42 passed' }], tool_call_id: 'tool_1' },
      { role: '_checkpoint', id: 1 },
      { role: 'assistant', content: 'They pass.' },
      { role: '_usage', token_count: 4300 },
    ],
    results: [5],
  },
  {
    name: 'Gemini CLI chat',
    source: 'gemini-cli, chats/session-*.json, messages',
    known: 'Gemini CLI',
    messages: [
      { id: 'a', timestamp: time, type: 'user', content: [{ text: 'Run the tests.' }] },
      {
        id: 'b',
        timestamp: time,
        type: 'gemini',
        content: 'I ran them.',
        toolCalls: [{ id: 'c', name: 'run_shell_command', args: {}, result: [], status: 'success' }],
        thoughts: [],
        model: 'gemini-2.5-pro',
      },
      { id: 'c', timestamp: time, type: 'gemini', content: 'They pass.', thoughts: [], model: 'gemini-2.5-pro' },
    ],
  },
  {
    name: 'Copilot CLI events',
    source: 'GitHub Copilot CLI, events.jsonl',
    known: 'Copilot CLI',
    isStore: true,
    messages: [
      { type: 'session.start', data: { sessionId: 's', version: 1 }, id: 'e0', timestamp: time, parentId: null },
      { type: 'user.message', data: { content: 'Run the tests.' }, id: 'e1', timestamp: time, parentId: 'e0' },
      {
        type: 'assistant.message',
        data: { messageId: 'm', content: '', toolRequests: [{ toolCallId: 'call_1', name: 'bash', arguments: {} }] },
        id: 'e2',
        timestamp: time,
        parentId: 'e1',
      },
      {
        type: 'tool.execution_complete',
        data: { toolCallId: 'call_1', success: true, result: { content: '42 passed' } },
        id: 'e3',
        timestamp: time,
        parentId: 'e2',
      },
    ],
    results: [3],
  },
  {
    name: 'Crush messages',
    source: 'charmbracelet/crush, message/content.go',
    messages: [
      { id: 'm1', role: 'user', parts: [{ type: 'text', data: { text: 'Run the tests.' } }] },
      {
        id: 'm2',
        role: 'assistant',
        parts: [
          { type: 'tool_call', data: { id: 'call_1', name: 'bash', input: '{}', finished: true } },
          { type: 'finish', data: { reason: 'tool_use', time: 1786529700 } },
        ],
      },
      {
        id: 'm3',
        role: 'tool',
        parts: [{ type: 'tool_result', data: { tool_call_id: 'call_1', name: 'bash', content: '42 passed' } }],
      },
    ],
    results: [2],
  },
  {
    name: 'Cline interface messages',
    source: 'Cline, ui_messages.json',
    messages: [
      { ts: 1786529700000, type: 'say', say: 'text', text: 'Fix the cart total.' },
      { ts: 1786529702000, type: 'say', say: 'api_req_started', text: '{"tokensIn":900}' },
      { ts: 1786529704000, type: 'ask', ask: 'tool', text: '{"tool":"readFile"}' },
    ],
  },
  {
    name: 'Continue session history',
    source: 'continuedev/continue, core/index.d.ts, ChatHistoryItem',
    messages: [
      { message: { role: 'user', content: 'Run the tests.' }, contextItems: [] },
      {
        message: {
          role: 'assistant',
          content: '',
          toolCalls: [{ id: 'call_1', type: 'function', function: { name: 'bash', arguments: '{}' } }],
        },
        contextItems: [],
        toolCallStates: [{ toolCallId: 'call_1', status: 'done', output: [{ content: '42 passed' }] }],
      },
    ],
  },
  {
    name: 'Zed threads',
    source: 'zed, crates/agent/src/thread.rs',
    messages: [
      { User: { id: 'u1', content: [{ Text: 'Run the tests.' }] } },
      {
        Agent: {
          content: [{ ToolUse: { id: 'call_1', name: 'terminal', raw_input: '{}', input: {} } }],
          tool_results: { call_1: { tool_use_id: 'call_1', is_error: false, content: { Text: '42 passed' } } },
        },
      },
    ],
  },
  {
    name: 'Open WebUI messages',
    source: 'open-webui, chat.history.messages',
    messages: [
      { id: 'a', parentId: null, childrenIds: ['b'], role: 'user', content: 'Hello', timestamp: 1786529700 },
      { id: 'b', parentId: 'a', childrenIds: [], role: 'assistant', content: 'Hello!', model: 'llama3', done: true },
    ],
  },
  {
    name: 'LibreChat messages',
    source: 'LibreChat, messages collection',
    messages: [
      { messageId: 'a', conversationId: 'c', sender: 'User', text: 'Weather in Rome?', isCreatedByUser: true },
      {
        messageId: 'b',
        conversationId: 'c',
        parentMessageId: 'a',
        sender: 'GPT-5',
        isCreatedByUser: false,
        content: [
          { type: 'tool_call', tool_call: { id: 'call_1', name: 'weather', args: '{}', output: 'sunny', progress: 1 } },
          { type: 'text', text: 'It is sunny.' },
        ],
      },
    ],
  },
  {
    name: 'Aider and others: command line history',
    source: 'lines of a shell',
    messages: [
      { command: 'npm test', exit_code: 0, output: '42 passed', role: 'shell' },
      { command: 'npm run build', exit_code: 1, output: 'failed', role: 'shell' },
    ],
  },
]

/** What observes, trains or evaluates. */
const records: ForeignHistory[] = [
  {
    name: 'ShareGPT',
    source: 'huggingface.co, ShareGPT conversations',
    messages: [
      { from: 'human', value: 'Weather in Rome?' },
      { from: 'function_call', value: '{"name":"weather","arguments":{}}' },
      { from: 'observation', value: 'sunny' },
      { from: 'gpt', value: 'It is sunny.' },
    ],
    results: [2],
  },
  {
    name: 'LangSmith runs',
    source: 'docs.langchain.com, run data format',
    messages: [
      { id: 'r1', name: 'ChatOpenAI', run_type: 'llm', inputs: { messages: [] }, outputs: {}, start_time: time },
      { id: 'r2', name: 'weather', run_type: 'tool', inputs: { input: '{}' }, outputs: { output: 'sunny' } },
    ],
  },
  {
    name: 'Langfuse observations',
    source: 'langfuse.com, observations',
    messages: [
      {
        id: 'o1',
        traceId: 't',
        type: 'GENERATION',
        name: 'chat',
        input: [],
        output: { role: 'assistant', content: 'a' },
      },
      { id: 'o2', traceId: 't', type: 'TOOL', name: 'weather', input: {}, output: 'sunny', level: 'DEFAULT' },
    ],
  },
  {
    name: 'Braintrust spans',
    source: 'braintrust.dev, span rows',
    messages: [
      {
        id: 's1',
        span_id: 's1',
        root_span_id: 's1',
        input: [{ role: 'user', content: 'q' }],
        output: 'a',
        metrics: {},
      },
      {
        id: 's2',
        span_id: 's2',
        root_span_id: 's1',
        span_attributes: { name: 'weather', type: 'tool' },
        output: 'sunny',
      },
    ],
  },
  {
    name: 'MLflow spans',
    source: 'mlflow.org, trace spans',
    messages: [
      { span_id: 'a', parent_id: null, name: 'agent', attributes: { 'mlflow.spanType': 'AGENT' }, status_code: 'OK' },
      { span_id: 'b', parent_id: 'a', name: 'weather', attributes: { 'mlflow.spanType': 'TOOL' }, status_code: 'OK' },
    ],
  },
  {
    name: 'Prompt flow chat history',
    source: 'microsoft.github.io/promptflow, chat_history',
    messages: [
      { inputs: { question: 'Weather in Rome?' }, outputs: { answer: 'It is sunny.' } },
      { inputs: { question: 'And in Berlin?' }, outputs: { answer: 'It rains.' } },
    ],
  },
  {
    name: 'Chainlit steps',
    source: 'chainlit, StepDict',
    messages: [
      { id: 's1', threadId: 't', type: 'user_message', name: 'User', input: '', output: 'Weather in Rome?' },
      { id: 's2', threadId: 't', parentId: 's1', type: 'tool', name: 'weather', input: '{}', output: 'sunny' },
      { id: 's3', threadId: 't', type: 'assistant_message', name: 'Bot', input: '', output: 'It is sunny.' },
    ],
    results: [1],
  },
  {
    name: 'Gradio chatbot',
    source: 'gradio.app, Chatbot of type messages',
    messages: [
      { role: 'user', metadata: null, content: 'Weather in Rome?', options: null },
      { role: 'assistant', metadata: { title: 'Used tool weather' }, content: 'sunny', options: null },
      { role: 'assistant', metadata: null, content: 'It is sunny.', options: null },
    ],
  },
  {
    name: 'Gradio chatbot with files',
    source: 'gradio.app, Chatbot of type messages',
    messages: [
      { role: 'user', metadata: null, content: { path: '/tmp/a.png', alt_text: null }, options: null },
      { role: 'assistant', metadata: null, content: 'A map.', options: null },
    ],
  },
  {
    name: 'Gradio pairs',
    source: 'gradio.app, Chatbot of type tuples',
    messages: [
      ['Weather in Rome?', 'It is sunny.'],
      ['And in Berlin?', null],
    ],
  },
]

/** Chats of people and bots. */
const chats: ForeignHistory[] = [
  {
    name: 'e-mails with parts',
    source: 'Gmail API, message payloads',
    messages: [
      {
        id: '18f',
        threadId: '18f',
        mimeType: 'multipart/mixed',
        parts: [{ partId: '0', mimeType: 'text/plain', body: { data: 'SGk=' } }],
      },
      {
        id: '190',
        threadId: '18f',
        mimeType: 'multipart/mixed',
        parts: [{ partId: '0', mimeType: 'text/html', body: { data: 'SGk=' } }],
      },
    ],
  },
  {
    name: 'e-mails with text parts',
    source: 'a mail archive',
    messages: [
      { from: 'ana@example.test', to: ['bo@example.test'], subject: 'Lunch', parts: [{ text: 'At one?' }] },
      { from: 'bo@example.test', to: ['ana@example.test'], subject: 'Re: Lunch', parts: [{ text: 'Fine.' }] },
    ],
  },
  {
    name: 'users with a role',
    source: 'a table of users',
    messages: [
      { id: 1, name: 'Ana', email: 'ana@example.test', role: 'user' },
      { id: 2, name: 'Bo', email: 'bo@example.test', role: 'system' },
      { id: 3, name: 'Cy', email: 'cy@example.test', role: 'user' },
    ],
  },
  {
    name: 'users with a role and string ids',
    source: 'a table of users',
    messages: [
      { id: 'u_1', name: 'Ana', role: 'user' },
      { id: 'u_2', name: 'Bo', role: 'assistant' },
      { id: 'u_3', name: 'Cy', role: 'tool' },
    ],
  },
  {
    name: 'Slack',
    source: 'api.slack.com, conversations.history',
    messages: [
      {
        type: 'message',
        user: 'U1',
        text: 'Lunch?',
        ts: '1786529700.000100',
        blocks: [{ type: 'rich_text', elements: [] }],
      },
      { type: 'message', subtype: 'bot_message', bot_id: 'B1', text: 'At one.', ts: '1786529701.000100' },
    ],
  },
  {
    name: 'Discord',
    source: 'discord.com/developers, message object',
    messages: [
      { id: '1', type: 0, content: 'Lunch?', channel_id: '9', author: { id: '7', username: 'ana' }, timestamp: time },
      { id: '2', type: 19, content: 'At one.', channel_id: '9', author: { id: '8', username: 'bo' }, timestamp: time },
    ],
  },
  {
    name: 'Telegram',
    source: 'Telegram Desktop, result.json, messages',
    messages: [
      { id: 1, type: 'message', date: time, from: 'Ana', from_id: 'user1', text: 'Lunch?', text_entities: [] },
      { id: 2, type: 'service', date: time, actor: 'Bo', action: 'pin_message', text: '' },
    ],
  },
  {
    name: 'Matrix',
    source: 'spec.matrix.org, room events',
    messages: [
      {
        type: 'm.room.message',
        sender: '@ana:example.test',
        content: { msgtype: 'm.text', body: 'Lunch?' },
        event_id: '$1',
      },
      {
        type: 'm.room.message',
        sender: '@bo:example.test',
        content: { msgtype: 'm.text', body: 'At one.' },
        event_id: '$2',
      },
    ],
  },
  {
    name: 'Bot Framework activities',
    source: 'learn.microsoft.com, Activity',
    messages: [
      {
        type: 'message',
        id: 'a',
        from: { id: 'u', role: 'user' },
        text: 'Hello',
        channelId: 'webchat',
        timestamp: time,
      },
      {
        type: 'message',
        id: 'b',
        from: { id: 'b', role: 'bot' },
        text: 'Hello!',
        channelId: 'webchat',
        replyToId: 'a',
      },
      { type: 'typing', id: 'c', from: { id: 'b', role: 'bot' }, channelId: 'webchat' },
    ],
  },
  {
    name: 'Rasa tracker events',
    source: 'rasa.com, events',
    messages: [
      { event: 'action', name: 'action_listen', timestamp: 1786529700 },
      { event: 'user', text: 'Hello', parse_data: { intent: { name: 'greet' } }, timestamp: 1786529701 },
      { event: 'bot', text: 'Hello!', data: {}, timestamp: 1786529702 },
    ],
  },
  {
    name: 'Zendesk comments',
    source: 'developer.zendesk.com, ticket comments',
    messages: [
      { id: 1, type: 'Comment', author_id: 7, body: 'It is broken.', public: true, via: { channel: 'web' } },
      { id: 2, type: 'Comment', author_id: 8, body: 'It works now.', public: true, via: { channel: 'web' } },
    ],
  },
  {
    name: 'Intercom conversation parts',
    source: 'developers.intercom.com, conversation parts',
    messages: [
      { type: 'conversation_part', id: '1', part_type: 'comment', body: 'Hello', author: { type: 'user', id: 'u' } },
      { type: 'conversation_part', id: '2', part_type: 'comment', body: 'Hello!', author: { type: 'bot', id: 'b' } },
    ],
  },
  {
    name: 'Dialogflow CX',
    source: 'cloud.google.com/dialogflow, conversation turns',
    messages: [
      { userInput: { input: { text: { text: 'Hello' }, languageCode: 'en' } } },
      { virtualAgentOutput: { textResponses: [{ text: ['Hello!'] }], currentPage: { displayName: 'Start' } } },
    ],
  },
  {
    name: 'Dialogflow conversation messages',
    source: 'cloud.google.com/dialogflow, Message',
    messages: [
      { name: 'projects/p/messages/1', content: 'Hello', participant: 'u', participantRole: 'END_USER' },
      { name: 'projects/p/messages/2', content: 'Hello!', participant: 'b', participantRole: 'AUTOMATED_AGENT' },
    ],
  },
  {
    name: 'Amazon Lex messages',
    source: 'docs.aws.amazon.com, Lex V2 Message',
    messages: [
      { content: 'Which size?', contentType: 'PlainText' },
      { contentType: 'ImageResponseCard', imageResponseCard: { title: 'Sizes', buttons: [] } },
    ],
  },
  {
    name: 'WhatsApp Cloud API',
    source: 'developers.facebook.com, webhook messages',
    messages: [
      { from: '4915100000', id: 'wamid.1', timestamp: '1786529700', type: 'text', text: { body: 'Hello' } },
      {
        from: '4915100000',
        id: 'wamid.2',
        timestamp: '1786529701',
        type: 'image',
        image: { id: '9', mime_type: 'image/png' },
      },
    ],
  },
  {
    name: 'GitHub comments',
    source: 'docs.github.com, issue comments',
    messages: [
      {
        id: 1,
        user: { login: 'ana', type: 'User' },
        body: 'It is broken.',
        created_at: time,
        author_association: 'NONE',
      },
      { id: 2, user: { login: 'bo', type: 'Bot' }, body: 'Thanks.', created_at: time, author_association: 'MEMBER' },
    ],
  },
  {
    name: 'film credits with parts',
    source: 'a table',
    messages: [
      { role: 'tool', parts: ['hammer', 'nail'], film: 'The Shed' },
      { role: 'model', parts: ['Anna'], film: 'Runway' },
    ],
  },
  {
    name: 'access rights',
    source: 'a policy file',
    messages: [
      { role: 'user', content: ['read'], resource: 'orders' },
      { role: 'system', content: ['read', 'write'], resource: 'orders' },
    ],
  },
  {
    name: 'log lines',
    source: 'a log',
    messages: [
      { level: 'info', type: 'function_call', name: 'charge', duration: 12 },
      { level: 'info', type: 'reasoning', name: 'plan', duration: 3 },
      { level: 'info', type: 'message', message: 'done' },
    ],
  },
]

/** Without their results, the first and the third are histories in a known format: they are not tried without them. */
const others: ForeignHistory[] = [
  {
    name: 'AgentScope',
    source: 'agentscope/message, Msg.to_dict',
    messages: [
      { id: '1', name: 'user', role: 'user', content: [{ type: 'text', text: 'Weather in Rome?' }], metadata: {} },
      {
        id: '2',
        name: 'bot',
        role: 'assistant',
        content: [{ type: 'tool_use', id: 'call_1', name: 'weather', input: {} }],
      },
      {
        id: '3',
        name: 'system',
        role: 'system',
        content: [{ type: 'tool_result', id: 'call_1', name: 'weather', output: [{ type: 'text', text: 'sunny' }] }],
      },
      { id: '4', name: 'bot', role: 'assistant', content: [{ type: 'text', text: 'It is sunny.' }] },
    ],
  },
  {
    name: 'assistant-ui thread',
    source: '@assistant-ui/react, ThreadMessage',
    messages: [
      { id: '1', role: 'user', content: [{ type: 'text', text: 'Weather in Rome?' }], createdAt: time, metadata: {} },
      {
        id: '2',
        role: 'assistant',
        content: [
          { type: 'tool-call', toolCallId: 'call_1', toolName: 'weather', args: {}, argsText: '{}', result: 'sunny' },
          { type: 'text', text: 'It is sunny.' },
        ],
        status: { type: 'complete', reason: 'stop' },
        createdAt: time,
        metadata: {},
      },
    ],
  },
  {
    name: 'Codebuff',
    source: 'codebuff, messageHistory',
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'Weather in Rome?' }] },
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'call_1', toolName: 'weather', input: {} }] },
      { role: 'tool', toolCallId: 'call_1', toolName: 'weather', content: [{ type: 'json', value: { sky: 'sunny' } }] },
      { role: 'assistant', content: [{ type: 'text', text: 'It is sunny.' }] },
    ],
  },
  {
    name: 'Mistral SDK for TypeScript',
    source: '@mistralai/mistralai, messages in camel case',
    messages: [
      { role: 'user', content: 'Weather in Rome?' },
      { role: 'assistant', content: '', toolCalls: [{ id: 'call_1', function: { name: 'weather', arguments: {} } }] },
      { role: 'tool', name: 'weather', content: 'sunny', toolCallId: 'call_1' },
    ],
    results: [2],
  },
  {
    name: 'LangChain for Elixir',
    source: 'brainlid/langchain, Message',
    messages: [
      { role: 'user', content: 'Weather in Rome?', status: 'complete', index: null },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ call_id: 'call_1', name: 'weather', arguments: {}, type: 'function', status: 'complete' }],
        status: 'complete',
      },
      { role: 'tool', content: null, tool_results: [{ tool_call_id: 'call_1', name: 'weather', content: 'sunny' }] },
      { role: 'assistant', content: 'It is sunny.', status: 'complete' },
    ],
    results: [2],
  },
  {
    name: 'LangChain for Go',
    source: 'tmc/langchaingo, llms.MessageContent',
    messages: [
      { role: 'human', parts: [{ type: 'text', text: 'Weather in Rome?' }] },
      {
        role: 'ai',
        parts: [
          {
            type: 'tool_call',
            tool_call: { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{}' } },
          },
        ],
      },
      {
        role: 'tool',
        parts: [
          { type: 'tool_response', tool_response: { tool_call_id: 'call_1', name: 'weather', content: 'sunny' } },
        ],
      },
    ],
    results: [2],
  },
  {
    name: 'tau2-bench',
    source: 'sierra-research/tau2-bench, data_model/message.py',
    messages: [
      { role: 'user', content: 'Weather in Rome?', turn_idx: 0, timestamp: time, cost: 0 },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'call_1', name: 'weather', arguments: {}, requestor: 'assistant' }],
        turn_idx: 1,
      },
      { id: 'call_1', role: 'tool', content: 'sunny', requestor: 'assistant', error: false, turn_idx: 2 },
      { role: 'assistant', content: 'It is sunny.', tool_calls: null, turn_idx: 3 },
    ],
    results: [2],
  },
  {
    name: 'Amazon Q history',
    source: 'aws/amazon-q-developer-cli, conversation history',
    messages: [
      { userInputMessage: { content: 'Weather in Rome?' } },
      { assistantResponseMessage: { content: '', toolUses: [{ toolUseId: 'call_1', name: 'weather', input: {} }] } },
      {
        userInputMessage: {
          content: '',
          userInputMessageContext: { toolResults: [{ toolUseId: 'call_1', content: [{ text: 'sunny' }] }] },
        },
      },
    ],
    results: [2],
  },
  {
    name: 'LobeChat',
    source: 'packages/types/src/message, tools and plugin',
    messages: [
      { id: 'm1', role: 'user', content: 'Weather?' },
      {
        id: 'm2',
        role: 'assistant',
        content: '',
        tools: [{ id: 'call_1', identifier: 'weather', apiName: 'get', arguments: '{}', type: 'builtin' }],
      },
      { id: 'm3', role: 'tool', content: 'sunny', tool_call_id: 'call_1', plugin: { apiName: 'get' } },
      { id: 'm4', role: 'assistant', content: 'It is sunny.' },
    ],
  },
  ...Object.entries({
    'rows with calls as JSON text': { tool_calls: '[{"id":"call_1","type":"function","function":{"name":"weather"}}]' },
    'rows with a list of function calls': { function_calls: [{ id: 'call_1', name: 'weather', arguments: '{}' }] },
    'rows with calls in metadata': { metadata: { tool_calls: [{ id: 'call_1', name: 'weather', args: {} }] } },
    'rows with calls in extra fields': { additional_kwargs: { tool_calls: [{ id: 'call_1', name: 'weather' }] } },
    'rows with one call': { tool_call: { id: 'call_1', name: 'weather', arguments: '{}' } },
    'LlamaIndex.TS': { options: { toolCall: [{ id: 'call_1', name: 'weather', input: {} }] } },
  }).flatMap(([name, call]) =>
    ['', 'Let me see.'].map(
      (content): ForeignHistory => ({
        name: content === '' ? name : `${name}, beside words`,
        source: 'made up, after stores that were met',
        messages: [
          { role: 'user', content: 'Weather?' },
          { role: 'assistant', content, ...call },
          { role: 'tool', tool_call_id: 'call_1', content: 'sunny' },
          { role: 'assistant', content: 'It is sunny.' },
        ],
      }),
    ),
  ),
  {
    name: 'LlamaIndex.TS with results of its own',
    source: '@llamaindex/core, ToolCallLLMMessageOptions',
    messages: [
      { role: 'user', content: 'Weather?' },
      { role: 'assistant', content: '', options: { toolCall: [{ id: 'call_1', name: 'weather', input: {} }] } },
      { role: 'user', content: 'sunny', options: { toolResult: { id: 'call_1', result: 'sunny', isError: false } } },
    ],
    results: [2],
  },
  {
    name: 'SWE-agent',
    source: 'sweagent/types.py, HistoryItem',
    messages: [
      { role: 'system', content: 'Be brief.', agent: 'main', message_type: 'system_prompt' },
      { role: 'user', content: 'Fix it.', agent: 'main', message_type: 'observation' },
      {
        role: 'assistant',
        content: 'Look.',
        thought: 'Look.',
        action: 'ls',
        agent: 'main',
        tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'bash', arguments: '{}' } }],
        message_type: 'action',
      },
      { role: 'tool', content: 'a.py', agent: 'main', message_type: 'observation', tool_call_ids: ['call_1'] },
    ],
  },
  {
    name: 'agno for Gemini',
    source: 'agno/models/google/gemini.py, format_function_call_results',
    messages: [
      { role: 'user', content: 'Weather?' },
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{}' } }],
      },
      {
        role: 'tool',
        content: ['sunny'],
        tool_calls: [{ tool_call_id: 'call_1', tool_name: 'weather', content: 'sunny' }],
      },
    ],
  },
  {
    name: 'chat templates with empty lists of calls',
    source: 'datasets for the templates of open models',
    messages: [
      { role: 'user', content: 'Weather?', tool_calls: [] },
      { role: 'assistant', content: '', tool_calls: [{ function: { name: 'weather', arguments: '{}' } }] },
      { role: 'tool', content: 'sunny', tool_calls: [] },
    ],
  },
  {
    name: 'readings with a type',
    source: 'made up',
    messages: [
      { type: 'ai', content: 3.2, ts: 1 },
      { type: 'ai', content: 3.3, ts: 2 },
    ],
  },
  {
    name: 'a log of reasoning',
    source: 'made up',
    messages: [
      { type: 'reasoning', id: 'r1', text: 'a' },
      { type: 'reasoning', id: 'r2', text: 'b' },
    ],
  },
  {
    name: 'posts with videos',
    source: 'made up',
    messages: [
      { role: 'user', content: [{ video: { url: 'https://example.test/1' } }] },
      { role: 'user', content: [{ video: { url: 'https://example.test/2' } }] },
    ],
  },
  {
    name: 'people with a role, one without a name for it',
    source: 'made up',
    messages: [
      { role: 'assistant', name: 'Ann' },
      { role: 'user', name: 'Bob' },
      { role: 'assistant', name: 'Cid', content: '' },
    ],
  },
  {
    name: 'an app that keeps actions in its messages',
    source: 'an application',
    messages: [
      { id: '1', role: 'user', content: 'Weather in Rome?' },
      { id: '2', role: 'assistant', content: '', actions: [{ tool: 'weather', input: {}, output: 'sunny' }] },
      { id: '3', role: 'assistant', content: 'It is sunny.' },
    ],
  },
  {
    name: 'roles of calls and results',
    source: 'an application',
    messages: [
      { role: 'user', content: 'Weather in Rome?' },
      { role: 'tool_call', content: 'weather()', tool_call_id: 'call_1' },
      { role: 'tool_result', content: 'sunny', tool_call_id: 'call_1' },
      { role: 'assistant', content: 'It is sunny.' },
    ],
    results: [2],
  },
]

export const foreignHistories: readonly ForeignHistory[] = [
  ...frameworks,
  ...protocols,
  ...programs,
  ...records,
  ...chats,
  ...others,
]
