import { expect, test } from 'vitest'
import { read } from '../repository.ts'
import { blocks } from './pages.ts'

const frameworks = ['ai-sdk', 'langchain', 'openai-agents', 'mastra', 'ag-ui', 'copilotkit', 'aws-sdk', 'opentelemetry']

test.each([...frameworks, 'fetch', 'proxy'])(
  '[GD7] %s.md begins with what it fixes, an install line, code that runs, and what one sees',
  name => {
    const text = read(`docs/${name}.md`) ?? ''
    const page = blocks.filter(block => block.page === `docs/${name}.md`)
    const install = page.findIndex(({ language, code }) => language === 'sh' && /^npm install antiphon/m.test(code))
    expect(install, 'the first block installs').toBe(0)
    expect(text.indexOf('```'), 'few words come before it').toBeLessThan(800)
    if (name !== 'proxy') expect(['ts', 'tsx']).toContain(page[1]?.language)
    const seen = text.search(/\byou see\b/i)
    expect(seen, 'what one sees').toBeGreaterThan(text.indexOf('```'))
    // The two apps of the walks have several files.
    const lines = text.slice(0, seen).split('\n').length
    expect(lines).toBeLessThanOrEqual(['ai-sdk', 'copilotkit'].includes(name) ? 110 : 56)
  },
)
