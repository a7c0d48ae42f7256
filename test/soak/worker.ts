import { wordsOnly } from '../journal/invariants/words.ts'
import { attend, settingOf } from './inside.ts'
import { modelsOf } from './model.ts'
import { codeOf, openAgain } from './open-again.ts'
import { dialects, fallbacks, threadOptions } from './settings.ts'
import { workerTools } from './tools.ts'

// A worker at the journals of all dialects, which is killed, or told to stop.
const setting = settingOf()
const service = attend({ stop: () => Promise.all(journals.map(journal => journal.close())) })
const journals = await Promise.all(dialects.map(dialect => openAgain(dialect, setting)))
for (const [index, dialect] of dialects.entries()) {
  journals[index].work({
    models: modelsOf(dialect, setting),
    ...fallbacks[dialect],
    tools: workerTools(dialect, setting),
    threads: 6,
    compact: { atTokens: 1_500, summarize: ({ messages }) => wordsOnly(messages) },
    thread: threadOptions(dialect),
    onError: (_, error) => service.count(`error ${codeOf(error)}`),
    onEvent: (_, { kind }) => {
      if (kind !== 'delta') service.count(kind)
    },
  })
}
service.ready()
