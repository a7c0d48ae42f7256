import { type ListedFact, listFacts } from '../../../strict/index.ts'
import { type Paint, painter } from '../paint.ts'
import { wrap } from '../wrap.ts'

/** Everything that providers are known to reject, grouped by provider or as one JSON list. */
export function printFacts(asJson: boolean): void {
  const facts = listFacts()
  const paint = painter(process.stdout)
  const text = asJson
    ? JSON.stringify(facts)
    : [legend, ...[...groupsOf(facts)].map(([providers, group]) => renderGroup(providers, group, paint))].join('\n')
  process.stdout.write(`${text}\n`)
}

const legend = `The letter is the evidence: S a real response, D the vendor's documentation, C an open-source
validator or chat template, T third-party code, I inferred.
`

/** Facts of the same providers together. */
function groupsOf(facts: ListedFact[]): Map<string, ListedFact[]> {
  const groups = new Map<string, ListedFact[]>()
  for (const fact of facts) {
    const name = fact.providers.join(', ')
    groups.set(name, [...(groups.get(name) ?? []), fact])
  }
  return groups
}

const renderGroup = (providers: string, group: ListedFact[], paint: Paint): string =>
  [paint('strong', providers), ...group.map(fact => renderFact(fact, paint))].join('\n')

function renderFact({ id, evidence, rule, words, sources, rejects, reason }: ListedFact, paint: Paint): string {
  const state = reason === undefined ? states[rejects] : `${states[rejects]}: ${reason}`
  return [
    ...wrap(`${id}  ${evidence}  ${state}`, 2).map(line => paint(rejects === 'always' ? 'error' : 'faint', line)),
    ...wrap(rule, 4),
    ...(words === undefined ? [] : wrap(words, 4)),
    ...sources.map(source => paint('place', `    ${source}`)),
    '',
  ].join('\n')
}

const states: Record<ListedFact['rejects'], string> = {
  always: 'rejected',
  pedantic: 'rejected only with --pedantic',
  never: 'not simulated',
}
