/** Builders of messages and parts for the examples of the rules, by format: an example shows its defect, and little else. */

export const chat = {
  system: (content: unknown) => ({ role: 'system', content }),
  user: (content: unknown) => ({ role: 'user', content }),
  assistant: (content: unknown) => ({ role: 'assistant', content }),
  calls: (...calls: unknown[]) => ({ role: 'assistant', content: null, tool_calls: calls }),
  textAndCalls: (content: unknown, ...calls: unknown[]) => ({ role: 'assistant', content, tool_calls: calls }),
  call: (id: unknown, name: unknown, args: unknown) => ({ id, type: 'function', function: { name, arguments: args } }),
  result: (id: unknown, content: unknown) => ({ role: 'tool', tool_call_id: id, content }),
}

export const ollama = {
  user: (content: unknown) => ({ role: 'user', content }),
  assistant: (content: unknown) => ({ role: 'assistant', content }),
  calls: (...calls: unknown[]) => ({ role: 'assistant', content: '', tool_calls: calls }),
  call: (name: unknown, args: unknown) => ({ function: { name, arguments: args } }),
  result: (name: unknown, content: unknown) => ({ role: 'tool', tool_name: name, content }),
}

export const anthropic = {
  user: (content: unknown) => ({ role: 'user', content }),
  assistant: (content: unknown) => ({ role: 'assistant', content }),
  userBlocks: (...content: unknown[]) => ({ role: 'user', content }),
  assistantBlocks: (...content: unknown[]) => ({ role: 'assistant', content }),
  text: (text: unknown) => ({ type: 'text', text }),
  thinking: (thinking: unknown, signature: unknown) => ({ type: 'thinking', thinking, signature }),
  toolUse: (id: unknown, name: unknown, input: unknown) => ({ type: 'tool_use', id, name, input }),
  toolResult: (id: unknown, content: unknown) => ({ type: 'tool_result', tool_use_id: id, content }),
  serverToolUse: (id: unknown, name: unknown, input: unknown) => ({ type: 'server_tool_use', id, name, input }),
}

export const responses = {
  user: (content: unknown) => ({ role: 'user', content }),
  assistant: (content: unknown) => ({ role: 'assistant', content }),
  message: (role: unknown, content: unknown) => ({ type: 'message', role, content }),
  call: (id: unknown, name: unknown, args: unknown) => ({ type: 'function_call', call_id: id, name, arguments: args }),
  output: (id: unknown, output: unknown) => ({ type: 'function_call_output', call_id: id, output }),
  reasoning: (id: unknown, ...summary: unknown[]) => ({ type: 'reasoning', id, summary }),
}

export const gemini = {
  user: (...parts: unknown[]) => ({ role: 'user', parts }),
  model: (...parts: unknown[]) => ({ role: 'model', parts }),
  text: (text: unknown) => ({ text }),
  call: (name: unknown, args: unknown) => ({ functionCall: { name, args } }),
  callWithId: (id: unknown, name: unknown, args: unknown) => ({ functionCall: { id, name, args } }),
  response: (name: unknown, output: unknown) => ({ functionResponse: { name, response: { output } } }),
  responseWithId: (id: unknown, name: unknown, output: unknown) => ({
    functionResponse: { id, name, response: { output } },
  }),
}

export const interactions = {
  user: (text: unknown) => ({ type: 'user_input', content: [{ type: 'text', text }] }),
  model: (text: unknown) => ({ type: 'model_output', content: [{ type: 'text', text }] }),
  thought: (signature: unknown, ...summary: unknown[]) => ({ type: 'thought', signature, summary }),
  call: (id: unknown, name: unknown, args: unknown) => ({ type: 'function_call', id, name, arguments: args }),
  result: (id: unknown, name: unknown, result: unknown) => ({ type: 'function_result', call_id: id, name, result }),
}

export const bedrock = {
  user: (...content: unknown[]) => ({ role: 'user', content }),
  assistant: (...content: unknown[]) => ({ role: 'assistant', content }),
  text: (text: unknown) => ({ text }),
  toolUse: (id: unknown, name: unknown, input: unknown) => ({ toolUse: { toolUseId: id, name, input } }),
  toolResult: (id: unknown, ...content: unknown[]) => ({ toolResult: { toolUseId: id, content } }),
}

export const aiSdk = {
  user: (content: unknown) => ({ role: 'user', content }),
  assistant: (content: unknown) => ({ role: 'assistant', content }),
  system: (content: unknown) => ({ role: 'system', content }),
  assistantParts: (...content: unknown[]) => ({ role: 'assistant', content }),
  tool: (...content: unknown[]) => ({ role: 'tool', content }),
  text: (text: unknown) => ({ type: 'text', text }),
  call: (id: unknown, name: unknown, input: unknown) => ({
    ...{ type: 'tool-call', toolCallId: id, toolName: name, input },
  }),
  result: (id: unknown, name: unknown, value: unknown) => ({
    ...{ type: 'tool-result', toolCallId: id, toolName: name, output: { type: 'text', value } },
  }),
}

export const ui = {
  user: (id: unknown, ...parts: unknown[]) => ({ id, role: 'user', parts }),
  assistant: (id: unknown, ...parts: unknown[]) => ({ id, role: 'assistant', parts }),
  text: (text: unknown) => ({ type: 'text', text }),
}

export const langchain = {
  human: (content: unknown) => ({ type: 'human', content }),
  ai: (content: unknown, ...calls: unknown[]) => ({ type: 'ai', content, tool_calls: calls }),
  call: (name: unknown, args: unknown, id: unknown) => ({ name, args, id, type: 'tool_call' }),
  tool: (content: unknown, id: unknown) => ({ type: 'tool', content, tool_call_id: id }),
}

export const agUi = {
  user: (id: unknown, content: unknown) => ({ id, role: 'user', content }),
  assistant: (id: unknown, content: unknown) => ({ id, role: 'assistant', content }),
  calls: (id: unknown, ...calls: unknown[]) => ({ id, role: 'assistant', toolCalls: calls }),
  call: (id: unknown, name: unknown, args: unknown) => ({ id, type: 'function', function: { name, arguments: args } }),
  result: (id: unknown, callId: unknown, content: unknown) => ({ id, role: 'tool', toolCallId: callId, content }),
}
