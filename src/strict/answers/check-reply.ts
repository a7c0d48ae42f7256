import { isObject } from '../json.ts'
import { demandMode } from '../modes.ts'
import { type Said, type Script, stops } from './script.ts'

/** A script from outside, every reply of a list checked before anything is served. */
export function checkScript(script: unknown): Script {
  if (typeof script === 'function') return script as Script
  if (!Array.isArray(script)) throw new TypeError(`the script is ${told(script)}, which is not a list of replies`)
  for (const [index, reply] of script.entries())
    try {
      const { fail } = checkReply(reply)
      if (fail !== undefined) demandMode(String(fail))
    } catch (error) {
      throw new TypeError(`reply ${index + 1}: ${(error as Error).message}`)
    }
  return script
}

/** A reply of a script as an object. One that nobody could say is a mistake in the test, and is thrown as such. */
export function checkReply(reply: unknown): Said {
  if (typeof reply === 'string') return { text: reply }
  if (!isObject(reply)) throw mistake('a reply', reply, 'a text or an object')
  for (const [name, form] of Object.entries(forms)) checkField(`\`${name}\` of a reply`, reply[name], form)
  if (Array.isArray(reply.calls)) for (const [index, call] of reply.calls.entries()) checkCall(call, index)
  return reply
}

interface Form {
  words: string
  fits(value: unknown): boolean
  isNeeded?: true
}

const text: Form = { words: 'a text', fits: value => typeof value === 'string' }

const forms: Record<Exclude<keyof Said, 'fail'>, Form> = {
  text,
  thinking: text,
  calls: { words: 'a list', fits: Array.isArray },
  stop: { words: `one of ${stops.join(', ')}`, fits: value => stops.some(stop => stop === value) },
  usage: { words: 'an object of whole numbers', fits: value => isObject(value) && Object.values(value).every(isCount) },
}

const isCount = (value: unknown): boolean => value === undefined || (Number.isInteger(value) && Number(value) >= 0)

const callForms: Record<string, Form> = { name: { ...text, isNeeded: true }, id: text }

function checkCall(call: unknown, index: number): void {
  const where = `\`calls[${index}]\` of a reply`
  if (!isObject(call)) throw mistake(where, call, 'an object')
  for (const [name, form] of Object.entries(callForms)) checkField(`\`${name}\` of ${where}`, call[name], form)
}

function checkField(where: string, value: unknown, { words, fits, isNeeded }: Form): void {
  if (value === undefined ? isNeeded : !fits(value)) throw mistake(where, value, words)
}

const mistake = (where: string, value: unknown, words: string): TypeError =>
  new TypeError(`the script gave ${told(value)} for ${where}, which is ${words}`)

const told = (value: unknown): string => {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return text.length > 200 ? `${text.slice(0, 200)}...` : text
}
