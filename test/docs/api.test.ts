import { expect, test } from 'vitest'
import { load, read } from '../repository.ts'

const page = read('docs/api.md') ?? ''
const sections = page.split(/^## /m).slice(1)
const doors = JSON.parse(read('package.json') ?? '{}').exports as Record<string, { types?: string } | string>

test.each(sections.map(section => [section.split('\n', 1)[0], section] as const))(
  '%s: what the page calls a class, a function or a constant can be imported',
  async (name, section) => {
    const door = doors[`.${name.slice('antiphon'.length)}`] as { types: string }
    const exported = await load(door.types.replace(/^\.\/dist\/(.*)\.d\.ts$/, 'src/$1.ts'))
    const values = [...section.matchAll(/^(?:abstract )?(?:class|function|const) (\w+)/gm)].map(([, value]) => value)
    expect(values.filter(value => !Object.hasOwn(exported, value))).toEqual([])
  },
)
