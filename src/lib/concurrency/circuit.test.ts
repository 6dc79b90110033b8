import { expect, test } from 'vitest';
import { createCircuit } from './circuit.ts';

function testCircuit() {
  let now = 0;
  const circuit = createCircuit({ maxFailures: 3, restMs: 1_000, nowMs: () => now });
  const fail = (times: number) => {
    for (let time = 0; time < times; time += 1) circuit.record('failure');
  };
  return { circuit, fail, pass: (ms: number) => (now += ms) };
}

test('opens after failures in a row, and only then', () => {
  const { circuit, fail } = testCircuit();
  fail(2);
  expect(circuit.tryNow()).toBe(true);
  circuit.record('success');
  fail(2);
  expect(circuit.tryNow()).toBe(true);
  fail(1);
  expect(circuit.tryNow()).toBe(false);
});

test('after its rest lets one try through, whose result decides', () => {
  const { circuit, fail, pass } = testCircuit();
  fail(3);
  pass(999);
  expect(circuit.tryNow()).toBe(false);
  pass(1);
  expect([circuit.tryNow(), circuit.tryNow()]).toEqual([true, false]);
  fail(1);
  pass(999);
  expect(circuit.tryNow()).toBe(false);
  pass(1);
  expect(circuit.tryNow()).toBe(true);
  circuit.record('success');
  expect([circuit.tryNow(), circuit.tryNow()]).toEqual([true, true]);
});

test('a probe that never ends keeps the circuit open no longer than another rest', () => {
  const { circuit, fail, pass } = testCircuit();
  fail(3);
  pass(1_000);
  expect(circuit.tryNow()).toBe(true);
  pass(1_000);
  expect(circuit.tryNow()).toBe(true);
});

test('can be opened at once, and tells that it rests without taking the probe', () => {
  const { circuit, pass } = testCircuit();
  expect(circuit.isOpen).toBe(false);
  circuit.open();
  expect([circuit.isOpen, circuit.tryNow()]).toEqual([true, false]);
  pass(1_000);
  expect([circuit.isOpen, circuit.isOpen, circuit.tryNow(), circuit.tryNow()]).toEqual([false, false, true, false]);
  circuit.record('success');
  expect(circuit.isOpen).toBe(false);
});
