/**
 * The kinds of calls that a client answers: the item types of call and result, and the fields of their content. `result`
 * writes a result from plain text, `call` a made-up call.
 */
export interface CallKind {
  /** The `callKind` of its parts. */
  readonly callKind: string
  readonly callType: string
  readonly resultType: string
  readonly input: string
  readonly output: string
  /** Whether calls name a tool. */
  readonly named: boolean
  call(name: string): Record<string, unknown>
  result(words: string, failed: boolean): Record<string, unknown>
}

export const callKinds: readonly CallKind[] = [
  {
    callKind: 'function',
    callType: 'function_call',
    resultType: 'function_call_output',
    input: 'arguments',
    output: 'output',
    named: true,
    call: name => ({ name, arguments: '{}' }),
    result: words => ({ output: words }),
  },
  {
    callKind: 'custom',
    callType: 'custom_tool_call',
    resultType: 'custom_tool_call_output',
    input: 'input',
    output: 'output',
    named: true,
    call: name => ({ name, input: '' }),
    result: words => ({ output: words }),
  },
  {
    callKind: 'local-shell',
    callType: 'local_shell_call',
    resultType: 'local_shell_call_output',
    input: 'action',
    output: 'output',
    named: false,
    call: () => ({ action: { type: 'exec', command: [], env: {} }, status: 'completed' }),
    result: words => ({ output: words }),
  },
  {
    callKind: 'shell',
    callType: 'shell_call',
    resultType: 'shell_call_output',
    input: 'action',
    output: 'output',
    named: false,
    call: () => ({ action: { commands: [] }, status: 'completed' }),
    // The format requires a timeout or an exit code. A result of another kind has neither; zero claims no failure that the
    // text does not mention.
    result: (words, failed) => ({
      output: [
        failed
          ? { stdout: '', stderr: words, outcome: { type: 'timeout' } }
          : { stdout: words, stderr: '', outcome: { type: 'exit', exit_code: 0 } },
      ],
    }),
  },
  {
    callKind: 'computer',
    callType: 'computer_call',
    resultType: 'computer_call_output',
    input: 'action',
    output: 'output',
    named: false,
    call: () => ({ action: { type: 'screenshot' }, pending_safety_checks: [], status: 'completed' }),
    result: words => ({ output: { type: 'computer_screenshot', image_url: isImage(words) ? words : emptyImage } }),
  },
  {
    callKind: 'apply-patch',
    callType: 'apply_patch_call',
    resultType: 'apply_patch_call_output',
    input: 'operation',
    output: 'output',
    named: false,
    call: () => ({ operation: { type: 'update_file', path: 'unknown', diff: '' }, status: 'completed' }),
    result: (words, failed) => ({ status: failed ? 'failed' : 'completed', output: words }),
  },
  {
    callKind: 'tool-search',
    callType: 'tool_search_call',
    resultType: 'tool_search_output',
    input: 'arguments',
    output: 'tools',
    named: false,
    call: () => ({ arguments: {}, execution: 'client', status: 'completed' }),
    result: () => ({ tools: [], execution: 'client', status: 'incomplete' }),
  },
]

/** An empty screenshot: the format has no way to say that one is missing. */
const emptyImage =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII='

const isImage = (words: string): boolean => /^(https?:\/\/|data:image\/)\S+$/.test(words)

export const byCallType: ReadonlyMap<unknown, CallKind> = /* @__PURE__ */ new Map(
  /* @__PURE__ */ callKinds.map(kind => [kind.callType, kind]),
)

export const byResultType: ReadonlyMap<unknown, CallKind> = /* @__PURE__ */ new Map(
  /* @__PURE__ */ callKinds.map(kind => [kind.resultType, kind]),
)

export const byCallKind: ReadonlyMap<string, CallKind> = /* @__PURE__ */ new Map(
  /* @__PURE__ */ callKinds.map(kind => [kind.callKind, kind]),
)

/** Items that belong to no role: state of the provider that is not part of a turn. They are left alone. */
export const keptItems: ReadonlySet<unknown> = new Set([
  'compaction',
  'context_compaction',
  'compaction_trigger',
  'additional_tools',
  'configuration_update',
  'mcp_approval_response',
])

/** Items that the provider creates and answers itself. They belong to the assistant and are left alone. */
export const serverItems: ReadonlySet<unknown> = new Set([
  'web_search_call',
  'file_search_call',
  'code_interpreter_call',
  'image_generation_call',
  'mcp_call',
  'mcp_list_tools',
  'mcp_approval_request',
  'program',
  'program_output',
])
