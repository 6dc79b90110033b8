/** Prints one line per finished test file. The failures are in the report after the run. */
import type { Reporter, TestModule } from 'vitest/node';

export default class ProgressReporter implements Reporter {
  onTestModuleEnd(module: TestModule): void {
    const tests = [...module.children.allTests()];
    const failed = tests.filter((test) => test.result().state === 'failed');
    const mark = module.ok() ? '✓' : '×';
    const seconds = (module.diagnostic().duration / 1_000).toFixed(1);
    console.log(`${mark} ${module.relativeModuleId} (${tests.length} tests, ${seconds} s)`);
    for (const { fullName } of failed) console.log(`  × ${fullName}`);
  }
}
