import { conditionsIn, inverted, type Mutant, readSource, short } from './mutant.ts'

const files = ['pairing', 'by-position', 'out-of-place', 'placement'].map(name => `src/core/pairing/${name}.ts`)

/** Each condition of the pairing of calls and results, and of the placement of results, inverted. */
export const pairingMutants: readonly Mutant[] = files.flatMap(file =>
  conditionsIn(readSource(file)).map(condition => ({
    group: 'pairing',
    name: `${file.split('/').slice(2).join('/')} inverts: ${short(condition.text)}`,
    file,
    change: inverted(condition),
    killers: ['examples', 'test/core/pairing.test.ts'],
  })),
)
