export type { AwsReport, HealPluginOptions } from './heal-plugin.ts'
export { healPlugin } from './heal-plugin.ts'
