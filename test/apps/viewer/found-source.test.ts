import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openSources } from '../../../src/apps/viewer/sources/open-sources.ts'
import { healthy, json, jsonl, unanswered } from '../cli/histories.ts'
import { folder } from '../cli/program.ts'

test('[VW61] view lists every request that a file holds, with its state, and shows each', async () => {
  const path = folder({
    'batch.jsonl': jsonl(
      [unanswered, healthy].map(messages => ({ custom_id: 'a', body: { model: 'gpt-5', messages } })),
    ),
    'curl.sh': `curl https://api.openai.com/v1/chat/completions -H 'a: sk-SECRET' -d '${json({ messages: unanswered })}'`,
  })
  const { sources, failures } = await openSources(
    ['batch.jsonl', 'curl.sh'].map(name => join(path, name)),
    {},
  )
  expect(failures).toEqual([])
  const items: string[] = []
  for (const source of sources)
    await source.list({
      onItem: ({ id, title, state }) => items.push(`${id} ${title}: ${state}`),
      onListed: () => items.push('listed'),
      hasListeners: () => true,
      signal: new AbortController().signal,
    })
  expect(items).toEqual([
    '1 JSON lines, line 1, body: broken',
    '2 JSON lines, line 2, body: healthy',
    'listed',
    '1 a curl command: broken',
    'listed',
  ])
  const [batch, curl] = sources
  expect(JSON.parse((await batch.document('2', 'whole')).join(''))).toMatchObject({ value: { messages: healthy } })
  const shown = (await curl.document('1', 'whole')).join('')
  expect(JSON.parse(shown).value).toEqual({ messages: unanswered })
  expect(shown).not.toContain('SECRET')
  await expect(curl.document('2', 'whole')).rejects.toThrow('no history 2')
})
