import { testLaws } from './test-laws.ts'

testLaws('ai-sdk')
