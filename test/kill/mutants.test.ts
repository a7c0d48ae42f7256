import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { mutants, mutate } from '../../scripts/mutants.ts'

describe.each(Object.entries(mutants))('the mutants of %s', (_, mutants) => {
  test.each(mutants)('[B412] $name is where scripts/mutants.ts takes it out', mutant => {
    const source = readFileSync(atRoot(mutant.file), 'utf8')
    expect(mutate(source, mutant)).not.toBe(source)
    expect(mutant.tests.filter(file => !existsSync(atRoot(file)))).toEqual([])
  })
})

const atRoot = (path: string): URL => new URL(`../../${path}`, import.meta.url)
