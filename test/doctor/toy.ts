import type { Part } from '../../src/core/conversation.ts'
import type { LineFormat } from '../../src/doctor/examine-lines.ts'
import { storeFormat } from '../../src/doctor/record-format.ts'

/** The smallest possible system: a line holds text, makes a call, or answers some; anything else is an aside. */
export interface ToyLine {
  readonly user?: string
  readonly words?: string
  readonly call?: string
  readonly step?: string
  readonly answers?: readonly string[]
  readonly made?: true
  readonly noise?: number
}

export const toy: LineFormat = {
  format: storeFormat({ root: 'lines', locate: ({ origin }, part) => `line ${(part?.slot ?? origin ?? 0) + 1}` }),
  dialect: 'openai',
  read(entry) {
    const { user, words, call, step, answers } = entry as ToyLine
    if (user !== undefined) return [{ role: 'user', parts: [{ kind: 'text', text: user }] }]
    if (answers) return answers.map(id => ({ role: 'tool' as const, parts: [result(id)] }))
    if (call !== undefined) {
      const part: Part = { kind: 'call', id: call, name: 'tool', input: {}, callKind: 'function', by: 'client' }
      return [{ role: 'assistant', parts: [part], ...(step === undefined ? {} : { step }) }]
    }
    return words === undefined ? [] : [{ role: 'assistant', parts: [{ kind: 'text', text: words }] }]
  },
  write: (entry, parts) => {
    const [part] = parts
    if (part?.kind === 'call') return { ...(entry as ToyLine), call: part.id }
    return { ...(entry as ToyLine), answers: parts.flatMap(one => (one.kind === 'result' ? [one.id] : [])) }
  },
  answer: ({ id }) => ({ answers: [id], made: true }),
}

const result = (id: string): Part => ({
  kind: 'result',
  id,
  content: `result of ${id}`,
  callKind: 'function',
  by: 'client',
})
