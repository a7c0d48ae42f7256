/** How often each rule is among repairs, in the order of their first. */
export function countRules(repairs: readonly { readonly rule: string }[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { rule } of repairs) counts[rule] = (counts[rule] ?? 0) + 1
  return counts
}
