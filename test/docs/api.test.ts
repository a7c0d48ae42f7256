import { expect, test } from 'vitest'
import { load, read, sourceOfExport } from '../repository.ts'

const page = read('docs/api.md') ?? ''
const sections = page.split(/^## /m).slice(1)

test.each(sections.map(section => [section.split('\n', 1)[0], section] as const))(
  '%s: what the page calls a class, a function or a constant can be imported',
  async (name, section) => {
    const exported = await load(sourceOfExport(`.${name.slice('antiphon'.length)}`))
    const values = [...section.matchAll(/^(?:abstract )?(?:class|function|const) (\w+)/gm)].map(([, value]) => value)
    expect(values.filter(value => !Object.hasOwn(exported, value))).toEqual([])
  },
)
