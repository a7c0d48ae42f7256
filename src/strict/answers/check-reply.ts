import { isObject } from '../json.ts'
import { demandMode } from '../modes.ts'
import { type ReplyContent, type ReplyScript, stops } from './script.ts'

/** Checks a script from the caller, every reply of a list, before anything is served. */
export function checkScript(script: unknown): ReplyScript {
  if (typeof script === 'function') return script as ReplyScript
  if (!Array.isArray(script)) throw new TypeError(`the script must be a list of replies, got ${quote(script)}`)
  for (const [index, reply] of script.entries())
    try {
      const { fail } = checkReply(reply)
      if (fail !== undefined) demandMode(String(fail))
    } catch (error) {
      throw new TypeError(`reply ${index + 1}: ${(error as Error).message}`)
    }
  return script
}

/** A reply of a script as an object. Throws if the reply is invalid, which is a mistake in the test. */
export function checkReply(reply: unknown): ReplyContent {
  if (typeof reply === 'string') return { text: reply }
  if (!isObject(reply)) throw mistake('a reply', reply, 'a string or an object')
  for (const [name, form] of Object.entries(forms)) checkField(`\`${name}\` of a reply`, reply[name], form)
  if (Array.isArray(reply.calls)) for (const [index, call] of reply.calls.entries()) checkCall(call, index)
  return reply
}

interface Form {
  expected: string
  fits(value: unknown): boolean
  isNeeded?: true
}

const text: Form = { expected: 'a string', fits: value => typeof value === 'string' }

const forms: Record<Exclude<keyof ReplyContent, 'fail'>, Form> = {
  text,
  thinking: text,
  calls: { expected: 'a list', fits: Array.isArray },
  stop: { expected: `one of ${stops.join(', ')}`, fits: value => stops.some(stop => stop === value) },
  usage: {
    expected: 'an object of whole numbers',
    fits: value => isObject(value) && Object.values(value).every(isCount),
  },
}

const isCount = (value: unknown): boolean => value === undefined || (Number.isInteger(value) && Number(value) >= 0)

const callForms: Record<string, Form> = { name: { ...text, isNeeded: true }, id: text }

function checkCall(call: unknown, index: number): void {
  const where = `\`calls[${index}]\` of a reply`
  if (!isObject(call)) throw mistake(where, call, 'an object')
  for (const [name, form] of Object.entries(callForms)) checkField(`\`${name}\` of ${where}`, call[name], form)
}

function checkField(where: string, value: unknown, { expected, fits, isNeeded }: Form): void {
  if (value === undefined ? isNeeded : !fits(value)) throw mistake(where, value, expected)
}

const mistake = (where: string, value: unknown, expected: string): TypeError =>
  new TypeError(`${where} must be ${expected}, got ${quote(value)}`)

const quote = (value: unknown): string => {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return text.length > 200 ? `${text.slice(0, 200)}...` : text
}
