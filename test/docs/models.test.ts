import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { files, root } from '../repository.ts'

/** Model names that the installed SDKs call deprecated. */
function deprecatedModels(): Set<string> {
  const read = (path: string): string => readFileSync(join(root, 'node_modules', path), 'utf8')
  const anthropic = /DEPRECATED_MODELS = \{([^}]*)\}/.exec(
    read('@anthropic-ai/sdk/resources/messages/messages.js'),
  )?.[1]
  const openai = /\/\*\*\n \* Deprecated values:([\s\S]*?)\*\/\nexport type ChatModel/.exec(
    read('openai/resources/shared.d.ts'),
  )?.[1]
  const names = [...(anthropic ?? '').matchAll(/'([^']+)':/g), ...(openai ?? '').matchAll(/"([^"]+)"/g)]
  return new Set(names.map(([, name]) => name))
}

test('no example, page or demo uses a model that its SDK calls deprecated', () => {
  const deprecated = deprecatedModels()
  expect(deprecated).toContain('claude-sonnet-4-5')
  expect(deprecated).toContain('gpt-5')
  const paths = ['README.md', 'src/apps/demo-failures.ts', ...files('examples/*.{ts,py,md}'), ...files('docs/*.md')]
  const used = paths.flatMap(path =>
    [...readFileSync(join(root, path), 'utf8').matchAll(/\b(?:claude|gpt|o\d)-?[\w.]*(?:-[\w.]+)*/g)]
      .map(([name]) => name.replace(/[.]$/, '').replace(/-v\d+$/, ''))
      .filter(name => deprecated.has(name))
      .map(name => `${path}: ${name}`),
  )
  expect(used).toEqual([])
})
