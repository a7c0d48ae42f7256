import { type Mutant, swap } from './mutant.ts'

type Fault = readonly [name: string, ...pairs: (readonly [find: string, replace: string])[]]

const mutantsOf = (file: string, killers: readonly string[], faults: readonly Fault[]): readonly Mutant[] =>
  faults.map(([name, ...pairs]) => ({
    ...{ group: 'retry', name: `${file.split('/').at(-1)}: ${name}`, file, killers },
    change: swap(...pairs),
  }))

/** How `healFetch` and the proxy answer a rejection: with one more request, if it is another one. */
export const retryMutants: readonly Mutant[] = [
  ...mutantsOf(
    'src/integrations/fetch/heal-fetch.ts',
    [
      'test/integrations/fetch/retry.test.ts',
      'test/integrations/fetch/failed-requests.test.ts',
      'test/rejections/stream.test.ts',
      'test/security/several-defects.test.ts',
    ],
    [
      ['sends a third time', ['await sendAgain(again, response,', 'await sendAgain(again, await again(),']],
      [
        'sends though nothing changed',
        ['if (!second?.changed || second.text === first.text) return', 'if (!second) return'],
      ],
      ['never sends again', ['if (!rejection) return', 'if (!rejection || text !== "") return']],
      [
        'learns from a request that was rejected again',
        ['if (!isError || isResolved(rejection, next))', 'if (rejection)'],
      ],
      [
        'learns nothing if something else is rejected',
        ['if (!isError || isResolved(rejection, next))', 'if (!isError)'],
      ],
      ['throws if there is no second answer', ['    return refused\n', '    throw error\n']],
      ['hides that the caller has ended the request', ['if (signal?.aborted) throw error', '']],
      ['heals a signed request', ['if (signature) {', 'if (signature === "") {']],
    ],
  ),
  ...mutantsOf(
    'src/integrations/fetch/response-rejection.ts',
    ['test/integrations/fetch/retry.test.ts', 'test/rejections/stream.test.ts', 'test/rejections/fetch.test.ts'],
    [
      [
        'reads no error after a good status',
        ['if (found === undefined) return { response', 'if (found !== undefined) return { response'],
      ],
      ['looks at a long answer', ['const rejectionMax = 256 * 1024', 'const rejectionMax = 256 * 1024 * 1024']],
    ],
  ),
  ...mutantsOf(
    'src/heal/rejections/read-rejection.ts',
    ['test/integrations/fetch/retry.test.ts', 'test/rejections/read.test.ts', 'test/rejections/fetch.test.ts'],
    [['takes any status for a rejection', ["(kind !== 'history' && !isGeneral) ||", "kind !== '' ||"]]],
  ),
]
