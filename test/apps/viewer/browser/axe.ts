import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { root } from '../../../repository.ts'

const axe = readFileSync(join(root, 'node_modules/axe-core/axe.min.js'), 'utf8')

/** What axe finds by these rules, or by all, each with where. */
export async function violations(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe)
  return page.evaluate(async rules => {
    const { axe } = window as unknown as { axe: Axe }
    const { violations } = await axe.run({ resultTypes: ['violations'], ...(rules && { runOnly: rules }) })
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} ${target}: ${failureSummary.split('\n')[1]}`),
    )
  }, rules)
}

interface Axe {
  run(options: object): Promise<{
    readonly violations: {
      readonly id: string
      readonly nodes: { readonly target: unknown; readonly failureSummary: string }[]
    }[]
  }>
}
