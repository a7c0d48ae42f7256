import type { SessionEntry } from './session-file.ts'

/**
 * Merges the system entries at the beginning into one, each text once: a session has one such entry, and it comes
 * first.
 */
export function joinSystems(entries: readonly SessionEntry[]): readonly SessionEntry[] {
  const begin = entries.findIndex(({ role }) => role === 'user' || role === 'assistant' || role === 'tool')
  const lead = entries.slice(0, begin < 0 ? entries.length : begin)
  const systems = lead.filter(isSystem)
  const [first] = systems
  if (!first || systems.length < 2) return entries
  const texts = [...new Set(systems.map(wordsOf))].filter(words => words !== '')
  const joined = texts.length > 1 ? { ...first, content: texts.join('\n\n') } : (systems.find(wordsOf) ?? first)
  const kept = lead.flatMap(entry => (entry === first ? [joined] : isSystem(entry) ? [] : [entry]))
  return [...kept, ...entries.slice(lead.length)]
}

const isSystem = ({ role }: SessionEntry): boolean => role === 'system'

/** Content that is not text is joined as it is written. */
const wordsOf = ({ content }: SessionEntry): string =>
  typeof content === 'string' ? content : content === undefined || content === null ? '' : JSON.stringify(content)
