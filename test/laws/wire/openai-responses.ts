import type { Answer, Call, Fields, Plan, Search, Step, Turn, Wire } from '../plan.ts'
import type { Random } from '../random.ts'

/** A call type, the prefix of its item ids, and how a call and its result are written. */
interface CallShape {
  type: string
  resultType: string
  prefix: string
  call(call: Call): Fields
  result(text: string, isError: boolean): Fields
}

const functionCall: CallShape = {
  type: 'function_call',
  resultType: 'function_call_output',
  prefix: 'fc_',
  call: ({ name, input }) => ({ name, arguments: JSON.stringify(input) }),
  result: text => ({ output: text }),
}

const otherCalls: CallShape[] = [
  {
    type: 'custom_tool_call',
    resultType: 'custom_tool_call_output',
    prefix: 'ctc_',
    call: ({ name, input }) => ({ name, input: JSON.stringify(input) }),
    result: text => ({ output: text }),
  },
  {
    type: 'local_shell_call',
    resultType: 'local_shell_call_output',
    prefix: 'lsh_',
    call: ({ input }) => ({ action: { type: 'exec', command: ['echo', JSON.stringify(input)], env: {} } }),
    result: text => ({ output: text }),
  },
  {
    type: 'shell_call',
    resultType: 'shell_call_output',
    prefix: 'sh_',
    call: ({ input }) => ({ action: { commands: [JSON.stringify(input)], timeout_ms: 1000 } }),
    result: (text, isError) => ({
      output: [
        {
          stdout: isError ? '' : text,
          stderr: isError ? text : '',
          outcome: { type: 'exit', exit_code: Number(isError) },
        },
      ],
    }),
  },
  {
    type: 'computer_call',
    resultType: 'computer_call_output',
    prefix: 'cu_',
    call: ({ input }) => ({ action: { type: 'keypress', keys: [JSON.stringify(input)] }, pending_safety_checks: [] }),
    result: text => ({
      output: { type: 'computer_screenshot', image_url: urlSaying(text) },
    }),
  },
  {
    type: 'apply_patch_call',
    resultType: 'apply_patch_call_output',
    prefix: 'apc_',
    call: ({ input }) => ({ operation: { type: 'update_file', path: 'a.txt', diff: JSON.stringify(input) } }),
    result: (text, isError) => ({ output: text, status: isError ? 'failed' : 'completed' }),
  },
  {
    type: 'tool_search_call',
    resultType: 'tool_search_output',
    prefix: 'tsc_',
    call: ({ input }) => ({ execution: 'client', arguments: input }),
    result: text => ({
      execution: 'client',
      tools: [{ type: 'function', name: 'found', description: text, parameters: { type: 'object' } }],
    }),
  },
]

const shapes = [functionCall, ...otherCalls]
const shapeOfCall = new Map(shapes.map(shape => [shape.type, shape]))
const shapeOfResult = new Map(shapes.map(shape => [shape.resultType, shape]))
const serverTypes = new Set(['web_search_call', 'file_search_call', 'code_interpreter_call', 'mcp_call'])

export const openaiResponses: Wire = {
  codec: 'openai-responses',
  write,
  parts: {
    call: { is: item => shapeOfCall.has(String(item.type)) },
    result: { is: item => shapeOfResult.has(String(item.type)) },
    reasoning: { is: item => item.type === 'reasoning' },
    server: { is: item => serverTypes.has(String(item.type)) },
  },
  callIdKey: 'call_id',
  resultIdKey: 'call_id',
  callMessage: call => call,
  resultMessage: result => result,
  resultSaying: (result, text, isError) => {
    const shape = shapeOfResult.get(String(result.type)) ?? functionCall
    return { ...result, ...shape.result(text, isError) }
  },
  argumentsOf: call => (typeof call.arguments === 'string' ? call.arguments : undefined),
  withArguments: (call, value) => ({ ...call, arguments: value }),
  withName: (call, name) => ({ ...call, name }),
  say: (role, text) => ({ type: 'message', role, content: text }),
  isUser: item => item.role === 'user',
  isAssistant: item => item.role === 'assistant' || shapeOfCall.has(String(item.type)),
}

/** Items carry ids from a reasoning on until the user speaks again, since an id without its reasoning is refused. */
function write(plan: Plan, random: Random): Fields[] {
  const items: Fields[] = []
  if (plan.system !== undefined) {
    items.push({ role: random.chance(0.5) ? 'developer' : 'system', content: plan.system })
  }
  for (const turn of plan.turns) {
    let withIds = false
    items.push(writeInput(turn, random))
    for (const step of turn.steps) {
      withIds ||= step.reasoning !== undefined
      writeStep(items, step, withIds, random)
      if (step.note !== undefined) withIds = false
    }
    if (turn.answer) writeAnswer(items, turn.answer, withIds || turn.answer.reasoning !== undefined, random)
  }
  return items
}

function writeInput(turn: Turn, random: Random): Fields {
  if (turn.image === undefined && random.chance(0.6)) return { role: 'user', content: turn.input }
  const content: Fields[] = [{ type: 'input_text', text: turn.input }]
  if (turn.image !== undefined) content.push({ type: 'input_image', image_url: turn.image, detail: 'auto' })
  return { type: 'message', role: 'user', content }
}

function writeStep(items: Fields[], step: Step, withIds: boolean, random: Random): void {
  if (step.reasoning !== undefined) items.push(writeReasoning(step.reasoning, random))
  if (step.search) items.push(writeSearch(step.search, random))
  if (step.text !== undefined) items.push(writeMessage(step.text, withIds, random))
  const resultOf = new Map<Call, Fields>()
  const oneByOne = random.chance(0.08)
  for (const call of step.calls) {
    const shape = random.chance(0.7) ? functionCall : random.pick(otherCalls)
    const result = writeResult(call, shape, random)
    resultOf.set(call, result)
    items.push(writeCall(call, shape, withIds, random))
    if (oneByOne) items.push(result)
  }
  if (!oneByOne) for (const call of step.answered) items.push(resultOf.get(call) as Fields)
  if (step.note !== undefined) items.push({ role: 'user', content: step.note })
}

function writeAnswer(items: Fields[], answer: Answer, withIds: boolean, random: Random): void {
  if (answer.reasoning !== undefined) items.push(writeReasoning(answer.reasoning, random))
  if (answer.search) items.push(writeSearch(answer.search, random))
  items.push(writeMessage(answer.text, withIds, random))
}

function writeMessage(text: string, withId: boolean, random: Random): Fields {
  if (!withId && random.chance(0.5)) return { role: 'assistant', content: text }
  const message: Fields = { type: 'message', role: 'assistant', status: 'completed' }
  if (withId) message.id = random.id('msg_')
  message.content = [{ type: 'output_text', text, annotations: [] }]
  return message
}

function writeReasoning(text: string, random: Random): Fields {
  const item: Fields = { type: 'reasoning', id: random.id('rs_'), summary: [{ type: 'summary_text', text }] }
  if (random.chance(0.6)) item.encrypted_content = random.id('gAAAA')
  return item
}

function writeCall(call: Call, shape: CallShape, withId: boolean, random: Random): Fields {
  const item: Fields = { type: shape.type, call_id: `call_${call.id}`, ...shape.call(call) }
  if (withId) item.id = random.id(shape.prefix)
  if (shape !== functionCall || random.chance(0.5)) item.status = 'completed'
  return item
}

function writeResult({ id, result }: Call, shape: CallShape, random: Random): Fields {
  const item: Fields = { type: shape.resultType, call_id: `call_${id}`, ...shape.result(result.text, result.isError) }
  if (shape !== functionCall || result.text === '') return item
  if (result.image === undefined && random.chance(0.85)) return item
  const output: Fields[] = [{ type: 'input_text', text: result.text }]
  if (result.image !== undefined) output.push({ type: 'input_image', image_url: result.image })
  item.output = output
  return item
}

function writeSearch({ query, found }: Search, random: Random): Fields {
  const status = 'completed'
  switch (random.int(4)) {
    case 0: {
      const sources = [{ type: 'url', url: urlSaying(found) }]
      return { type: 'web_search_call', id: random.id('ws_'), status, action: { type: 'search', query, sources } }
    }
    case 1:
      return { type: 'file_search_call', id: random.id('fs_'), status, queries: [query], results: [{ text: found }] }
    case 2: {
      const outputs = [{ type: 'logs', logs: found }]
      return {
        type: 'code_interpreter_call',
        id: random.id('ci_'),
        status,
        code: query,
        container_id: 'cntr_1',
        outputs,
      }
    }
    default: {
      const body = { server_label: 'library', name: 'lookup', arguments: JSON.stringify({ query }) }
      return { type: 'mcp_call', id: random.id('mcp_'), status, ...body, output: found, error: null }
    }
  }
}

function urlSaying(text: string): string {
  return `https://example.test/?${encodeURIComponent(text)}`
}
