import { type CallPart, isRecord } from '../../conversation.ts'
import { isJsonObject } from '../../json/is-json-object.ts'
import { parsedObject } from '../../json/json-text.ts'
import { defineRule, type Page } from '../rule.ts'

export const malformedArguments = defineRule({
  id: 'malformed-arguments',
  appliesTo: (facts, format) => facts.malformedInput === 'refuse' || format.marksInvalid === true,
  check(context, report) {
    const asText = context.format.input === 'text'
    for (const message of context.messages) {
      for (const [index, part] of message.parts.entries()) {
        if (part.kind !== 'call' || part.by === 'provider' || !takesObject(part)) continue
        if (context.facts.malformedInput === 'accept' && part.callKind !== 'invalid') continue
        const isBroken = part.brokenCopy === true && context.facts.sentCopies === true && isObject(part.input, asText)
        if (part.callKind !== 'invalid' && !isBroken && isObject(part.input, asText)) continue
        const input = isObject(part.copy, asText) && !isBroken ? part.copy : wrap(part.input, asText)
        if (input === part.input && part.callKind !== 'invalid' && !isBroken) continue
        report({
          message,
          part,
          callId: part.id,
          text: describe(part, asText, isBroken),
          fix: {
            title: isBroken
              ? 'rewrite the copy'
              : input === part.copy
                ? 'take them from its copy'
                : titleFor(part.input, asText),
            class: 'lossless',
            apply: draft => {
              const { brokenCopy: _, ...call } = part
              draft.rewrite(message.key, index, {
                ...call,
                input,
                ...(part.callKind === 'invalid' ? { callKind: 'function', neverRan: true } : {}),
              })
            },
          },
        })
      }
    }
  },
})

export const page: Page = {
  summary: 'The arguments of a call are not a JSON object.',
  why: 'A cut stream or a store that shortened them leaves text that no provider can parse, on every replay. Some providers require JSON text, others an object.',
  fix: 'An object in the wrong form is parsed or written as JSON text. Any other text is wrapped whole, as {"_cut_off": "..."}; missing arguments become {}. They are never completed and never lost.',
}

function describe({ name, input }: CallPart, asText: boolean, isBrokenCopy: boolean): string {
  const what = `the arguments of ${name || 'a call'}`
  if (isBrokenCopy) return `a copy of ${what} is not a JSON object`
  if (isNothing(input)) return `${what} are missing`
  if (!isRecord(parsedObject(input))) return `${what} are not a JSON object`
  return asText ? `${what} are an object, not JSON text` : `${what} are JSON text, not an object`
}

function titleFor(input: unknown, asText: boolean): string {
  if (isNothing(input)) return 'add {}'
  if (!isRecord(parsedObject(input))) return 'wrap them whole in an object'
  return asText ? 'write them as JSON text' : 'parse them'
}

const isObject = (input: unknown, asText: boolean): boolean =>
  asText ? typeof input === 'string' && isJsonObject(input) : isRecord(input)

/** Other kinds of calls have other inputs: free text, an action, a patch. */
const takesObject = ({ callKind }: CallPart): boolean =>
  callKind === 'function' || callKind === 'legacy' || callKind === 'invalid'

function wrap(input: unknown, asText: boolean): unknown {
  const parsed = asText ? input : parsedObject(input)
  const value = isRecord(parsed) ? parsed : isNothing(input) ? {} : { _cut_off: input }
  if (!asText) return value
  try {
    return JSON.stringify(value)
  } catch {
    return input
  }
}

const isNothing = (input: unknown): boolean =>
  input === undefined || input === null || (typeof input === 'string' && input.trim() === '')
