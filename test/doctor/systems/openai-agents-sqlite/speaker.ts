import type { Random } from '../../../laws/random.ts'
import { pythonJson } from './python-json.ts'

/** The items of several turns, each as Python writes it, with all that is odd but legal there. */
export function conversationOf(random: Random): string[] {
  const items: string[] = []
  for (let turn = random.range(1, 4); turn > 0; turn--) {
    items.push(wordsOf(random))
    for (let step = random.int(3); step > 0; step--) items.push(...stepOf(random))
    items.push(answerOf(random))
    if (random.chance(0.05)) items.push('{"role": "user", "conte')
  }
  return items
}

export function wordsOf(random: Random): string {
  const text = random.sentence()
  if (random.chance(0.8)) return pythonJson({ content: text, role: 'user' })
  const image = { type: 'input_image', image_url: 'data:image/png;base64,iVBORw0KGgo=', detail: 'auto' }
  return pythonJson({ role: 'user', content: [{ type: 'input_text', text }, image] })
}

function answerOf(random: Random): string {
  const content = [{ annotations: [], text: random.sentence(), type: 'output_text', logprobs: [] }]
  return pythonJson({ id: random.id('msg_'), content, role: 'assistant', status: 'completed', type: 'message' })
}

/** Parallel calls followed by their results, sometimes with reasoning, text or a tool of the provider. */
export function stepOf(random: Random): string[] {
  const ids = Array.from({ length: random.range(1, 3) }, () => random.id('call_'))
  const isCustom = random.chance(0.15)
  return [
    ...(!isCustom && random.chance(0.3) ? [reasoningOf(random)] : []),
    ...ids.map(id => callOf(random, id, isCustom)),
    ...ids.map(id => resultOf(random, id, isCustom)),
    ...(random.chance(0.1) ? [searchOf(random)] : []),
  ]
}

function reasoningOf(random: Random): string {
  return pythonJson({ id: random.id('rs_'), summary: [], type: 'reasoning', encrypted_content: 'gAAAAA==' })
}

export function callOf(random: Random, call_id: string, isCustom = false): string {
  if (isCustom) return pythonJson({ call_id, input: random.sentence(), name: 'edit', type: 'custom_tool_call' })
  const input = random.pick(['{}', '{"path":"a.txt"}', '{"depth":1.0}'])
  const call = {
    arguments: input,
    call_id,
    name: 'read_file',
    type: 'function_call',
    id: random.id('fc_'),
    status: 'completed',
  }
  return pythonJson(random.chance(0.2) ? { ...call, _agents_tool_description: 'Reads a file.' } : call)
}

export function resultOf(random: Random, call_id: string, isCustom = false): string {
  const type = isCustom ? 'custom_tool_call_output' : 'function_call_output'
  return pythonJson({ call_id, output: random.sentence(), type }).replace(
    /}$/,
    random.chance(0.15) ? ', "cost": 1.0}' : '}',
  )
}

const searchOf = (random: Random): string =>
  pythonJson({
    id: random.id('ws_'),
    action: { query: 'weather', type: 'search' },
    status: 'completed',
    type: 'web_search_call',
  })
