/** The SDKs warn of much that random histories hold. */
export function keepQuiet(warn: { mockImplementation(make: () => void): unknown }): void {
  warn.mockImplementation(() => {})
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })
}
