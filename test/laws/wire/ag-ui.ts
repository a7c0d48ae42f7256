import type { Fields, Translation } from '../plan.ts'
import type { Random } from '../random.ts'

/** Messages with ids, spelled as in JavaScript or in Python, and between them what an application shows. */
export const agUi: Translation = { from: 'openai-chat', translate }

/** What is the same all over one history. `ids` has those of messages with words in them: a copy has the same one. */
interface Style {
  isSnake: boolean
  marksErrors: boolean
  asides: number
  ids: Map<string, string>
}

function translate(messages: readonly unknown[], random: Random): unknown[] {
  const style: Style = {
    isSnake: random.chance(0.4),
    marksErrors: random.chance(0.7),
    asides: random.pick([0, 0.05, 0.3]),
    ids: new Map(),
  }
  const written: unknown[] = []
  for (const message of messages) {
    sprinkle(written, style, random)
    if (!isFields(message) || typeof message.role !== 'string') written.push(message)
    else written.push(...writeMessage(message, style, random))
  }
  sprinkle(written, style, random)
  return written
}

function sprinkle(written: unknown[], style: Style, random: Random): void {
  while (random.chance(style.asides)) {
    written.push(
      random.chance(0.5) ? reasoning(`thinking ${random.id('')}`, style, random) : writeActivity(style, random),
    )
  }
}

function writeActivity(style: Style, random: Random): Fields {
  const content = { title: `working ${random.id('')}`, done: random.int(9), steps: [random.id('step-')] }
  return spelled({ id: random.id('act_'), role: 'activity', activityType: 'PLAN', content }, style)
}

function reasoning(content: string, style: Style, random: Random): Fields {
  const sealed = random.chance(0.3) ? { encryptedValue: random.id('enc_') } : {}
  return spelled({ id: random.id('rsn_'), role: 'reasoning', content, ...sealed }, style)
}

function writeMessage(message: Fields, style: Style, random: Random): Fields[] {
  const { refusal, annotations: _, reasoning_content: thought, ...fields } = message
  const written: Fields = { id: idOf(message, style, random), ...fields }
  if (typeof refusal === 'string') written.refusal = refusal
  if (message.role === 'assistant') writeAssistant(written, style, random)
  else if (message.role === 'tool') writeResult(written, style, random)
  else if (message.role === 'user') written.content = writeBlocks(message.content, style)
  else written.content = joined(message.content)
  if (!('content' in message) || written.content === undefined) delete written.content
  if (random.chance(0.05)) written.metadata = { trace: random.id('tr_'), seen: null }
  if (random.chance(0.05)) written.subagentRunId = random.id('sub_')
  if (random.chance(0.03)) written.createdAt = 1_760_000_000
  if (typeof thought !== 'string') return [spelled(written, style)]
  return [reasoning(thought, style, random), spelled(written, style)]
}

function idOf(message: Fields, style: Style, random: Random): string {
  const json = JSON.stringify(message)
  const id = (/w\d/.test(json) && style.ids.get(json)) || random.id('msg_')
  style.ids.set(json, id)
  return id
}

/** Content is a text, and beside calls it may be left out. */
function writeAssistant(message: Fields, style: Style, random: Random): void {
  message.content = joined(message.content)
  if (!Array.isArray(message.tool_calls)) return
  message.tool_calls = message.tool_calls.map(call => (isFields(call) ? writeCall(call, style, random) : call))
  const isBare = message.content === null && (message.tool_calls as unknown[]).length > 0
  if (isBare && !(style.isSnake && random.chance(0.3))) message.content = undefined
}

function writeCall(call: Fields, style: Style, random: Random): Fields {
  const sealed = random.chance(0.05) ? { encryptedValue: random.id('enc_') } : {}
  return spelled({ ...call, ...sealed, ...(random.chance(0.05) ? { metadata: { ui: true } } : {}) }, style)
}

function writeResult(message: Fields, style: Style, random: Random): void {
  const text = joined(message.content)
  if (typeof text === 'string' && text.startsWith('Error: ') && style.marksErrors) message.error = 'the tool failed'
  else if (style.isSnake && random.chance(0.2)) message.error = null
}

function writeBlocks(content: unknown, style: Style): unknown {
  if (!Array.isArray(content)) return content
  return content.map(block => {
    const url = isFields(block) && isFields(block.image_url) ? block.image_url.url : undefined
    if (typeof url !== 'string') return block
    return { type: 'image', source: spelled({ type: 'url', value: url, mimeType: 'image/png' }, style) }
  })
}

/** A list of nothing but texts as one text; anything else as it is. */
function joined(content: unknown): unknown {
  if (!Array.isArray(content) || content.length === 0) return content
  const texts = content.map(block => (isFields(block) && block.type === 'text' ? block.text : undefined))
  return texts.every(text => typeof text === 'string') ? texts.join('\n') : content
}

/** The fields as the history spells them. Those of plain chat are spelled as in Python already. */
function spelled(fields: Fields, { isSnake }: Style): Fields {
  const names = isSnake ? snake : camel
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [names[key] ?? key, value]))
}

const camel: Record<string, string | undefined> = { tool_calls: 'toolCalls', tool_call_id: 'toolCallId' }

const snake: Record<string, string | undefined> = {
  encryptedValue: 'encrypted_value',
  activityType: 'activity_type',
  subagentRunId: 'subagent_run_id',
  mimeType: 'mime_type',
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
