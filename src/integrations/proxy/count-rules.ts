/** How often each rule occurs among the repairs, in the order of its first repair. */
export function countRules(repairs: readonly { readonly rule: string }[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { rule } of repairs) counts[rule] = (counts[rule] ?? 0) + 1
  return counts
}
