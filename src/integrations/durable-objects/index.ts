export { AntiphonThread, type ThreadSettings } from './antiphon-thread.ts'
export type { AlarmInfo, ObjectContext } from './object-context.ts'
