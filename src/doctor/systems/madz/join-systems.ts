import type { Entry } from './session-file.ts'

/** What the system says at the beginning as one entry, each thing once: a session has one such entry, and it comes first. */
export function joinSystems(entries: readonly Entry[]): readonly Entry[] {
  const begin = entries.findIndex(({ role }) => role === 'user' || role === 'assistant' || role === 'tool')
  const lead = entries.slice(0, begin < 0 ? entries.length : begin)
  const systems = lead.filter(isSystem)
  if (systems.length < 2) return entries
  const [first] = systems
  const said = [...new Set(systems.map(wordsOf))].filter(words => words !== '')
  const joined = said.length > 1 ? { ...first, content: said.join('\n\n') } : (systems.find(wordsOf) ?? first)
  const kept = lead.flatMap(entry => (entry === first ? [joined] : isSystem(entry) ? [] : [entry]))
  return [...kept, ...entries.slice(lead.length)]
}

const isSystem = ({ role }: Entry): boolean => role === 'system'

/** Content of another form than text is joined as it is written. */
const wordsOf = ({ content }: Entry): string =>
  typeof content === 'string' ? content : content === undefined || content === null ? '' : JSON.stringify(content)
