import { expect, test } from 'vitest';
import { ApiError } from '../../contract/errors.ts';
import { rewriteSvg } from './svg.ts';

const XMLNS = 'xmlns="http://www.w3.org/2000/svg"';
const svg = (content: string, attributes = '') =>
  `<svg ${XMLNS} xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 20 10" ${attributes}>${content}</svg>`;
const rewritten = (text: string) => rewriteSvg(Buffer.from(text)).bytes.toString();

function messageOf(text: string | Buffer): string {
  try {
    rewriteSvg(Buffer.from(text));
  } catch (error) {
    if (error instanceof ApiError) return String(error.facts.message);
    throw error;
  }
  return '';
}

test('keeps the shapes, styles and references that drawing programs write', () => {
  const text = `<?xml version="1.0" encoding="utf-8"?>
<!-- A drawing program -->
<svg ${XMLNS} xmlns:i="http://www.inkscape.org/namespaces/inkscape" version="1.1" id="Layer_1" x="0px" width="64" height="32"
 viewBox="0 0 640 320" i:version="1" style="enable-background:new 0 0 640 320;" xml:space="preserve">
<title>Shop</title><metadata><rdf xmlns="urn:rdf"><a/></rdf></metadata><i:namedview pagecolor="#fff"/>
<style type="text/css"><![CDATA[ .st0{fill:#E30613;stroke-width:2px} .st1,.st2{fill:url(#g);font-family:'Myriad'} ]]></style>
<defs><linearGradient id="g" x1="0%" gradientTransform="rotate(45 .5 .5)"><stop offset="0" style="stop-color:#FFF;stop-opacity:.5"/></linearGradient>
<clipPath id="c"><rect width="9" height="9"/></clipPath></defs>
<g id="mark" clip-path="url('#c')" transform="translate(1,2) scale(3)"><path class="st0 x" d="M10,20c1e-2-.5 3 4 5 6z"/><circle class="st1" fill="red" r="3"/></g>
<use href="#mark" x="5"/>
</svg>`;
  const logo = rewriteSvg(Buffer.from(text));
  expect(logo).toMatchObject({ type: 'image/svg+xml', width: 512, height: 256 });
  expect(logo.bytes.toString()).toMatchInlineSnapshot(
    `"<svg id="Layer_1" x="0px" width="512" height="256" viewBox="0 0 640 320" xmlns="http://www.w3.org/2000/svg"><defs><linearGradient id="g" x1="0%" gradientTransform="rotate(45 .5 .5)"><stop offset="0" stop-color="#FFF" stop-opacity=".5"/></linearGradient><clipPath id="c"><rect width="9" height="9"/></clipPath></defs><g id="mark" clip-path="url(#c)" transform="translate(1,2) scale(3)"><path d="M10,20c1e-2-.5 3 4 5 6z" fill="#E30613" stroke-width="2px"/><circle fill="url(#g)" r="3"/></g><use href="#mark" x="5"/></svg>"`,
  );
});

test('writes a file that it reads as the same file', () => {
  const once = rewritten(svg('<g fill="rgb(1, 2, 3)"><path d="M0 0h1"/></g>', 'fill="none"'));
  expect(rewritten(once)).toBe(once);
});

test.each([
  ['a script', '<script>alert(1)</script>'],
  ['a script with a prefix', `<s:script xmlns:s="http://www.w3.org/2000/svg">alert(1)</s:script>`],
  ['a script in a CDATA section', '<script><![CDATA[alert(1)]]></script>'],
  ['a script from elsewhere', '<script href="https://evil.example/x.js"/>'],
  ['an event handler', '<rect width="9" height="9" onload="alert(1)"/>'],
  ['an event handler in capitals', '<rect ONCLICK="alert(1)"/>'],
  ['an event handler with a prefix', '<rect xmlns:a="urn:a" a:onload="alert(1)"/>'],
  ['HTML in it', '<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"><script>1</script></body></foreignObject>'],
  ['a frame in it', '<foreignObject><iframe xmlns="http://www.w3.org/1999/xhtml" src="javascript:1"/></foreignObject>'],
  ['a link', '<a href="javascript:alert(1)"><rect/></a>'],
  ['a link with a prefix', '<a xlink:href="javascript:alert(1)"><rect/></a>'],
  ['a reference to a file', '<use href="https://evil.example/x.svg#a"/>'],
  ['a reference to data', '<use xlink:href="data:image/svg+xml;base64,PHN2Zz4=#x"/>'],
  ['a script as a reference', '<use href="java&#x09;script:alert(1)"/>'],
  ['a link on a shape', '<rect href="#a"/>'],
  ['a picture', '<image href="https://evil.example/pixel.png"/>'],
  ['a picture as data', '<image href="data:image/svg+xml,%3Csvg onload=alert(1)%3E"/>'],
  ['a filter that loads', '<filter id="f"><feImage href="https://evil.example/x"/></filter>'],
  ['animation of an attribute', '<rect><animate attributeName="href" values="javascript:alert(1)"/></rect>'],
  ['animation that sets', '<rect><set attributeName="onmouseover" to="alert(1)"/></rect>'],
  ['animation with a handler', '<animateTransform onbegin="alert(1)" attributeName="transform"/>'],
  ['a handler element', '<handler xmlns:ev="http://www.w3.org/2001/xml-events" ev:event="load">alert(1)</handler>'],
  ['another SVG in it', '<svg onload="alert(1)"/>'],
  ['text', '<text>4242 4242 4242 4242</text>'],
  ['a style that loads', '<rect style="fill:url(https://evil.example/x#a)"/>'],
  ['an unknown style that loads', '<rect style="background:url(https://evil.example/x)"/>'],
  ['a style with escapes', '<rect style="background:\\75rl(//evil.example)"/>'],
  ['a style that imports', '<style>@import "https://evil.example/x.css";</style>'],
  ['a style sheet that loads', '<style>.a{fill:url(//evil.example/x#a)}</style>'],
  ['a style sheet with a font', '<style>@font-face{font-family:x;src:url(//evil.example/x)}</style>'],
  ['a style sheet for all elements', '<style>*{fill:red}</style>'],
  ['elements in a style sheet', '<style><img src="x" onerror="alert(1)"/></style>'],
  ['an attribute that loads', '<rect fill="url(//evil.example/x#a)"/>'],
  ['a clip from elsewhere', '<rect clip-path="url(https://evil.example/x.svg#a)"/>'],
  ['an unknown entity', '<rect fill="&evil;"/>'],
  ['markup that is not closed', '<g><rect>'],
  ['an attribute without quotes', '<rect onload=alert(1)>'],
])('refuses %s', (_, content) => {
  expect(messageOf(svg(content))).toMatch(/^The (?:SVG|style sheet of the SVG) /);
});

test.each([
  ['entities', `<!DOCTYPE svg [<!ENTITY a "alert(1)">]>${svg('<rect/>')}`],
  [
    'a DOCTYPE of another file',
    `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "https://evil.example/x.dtd">${svg('')}`,
  ],
  ['HTML', '<html xmlns="http://www.w3.org/1999/xhtml"><script>1</script></html>'],
  ['an element without its namespace', '<svg viewBox="0 0 1 1"><rect/></svg>'],
  ['a handler on its root', svg('', 'onload="alert(1)"')],
  ['no size', `<svg ${XMLNS}><rect/></svg>`],
  ['a size of zero', `<svg ${XMLNS} viewBox="0 0 0 10"/>`],
  ['a huge size', `<svg ${XMLNS} viewBox="0 0 1e9 1"/>`],
  ['nothing', ' '],
  ['a second root', `${svg('')}<script/>`],
  ['text behind it', `${svg('')}words`],
])('refuses a file with %s', (_, text) => {
  expect(messageOf(text)).not.toBe('');
});

test('refuses a file in another encoding', () => {
  expect(messageOf(Buffer.from(svg('<g id="ü"/>'), 'latin1'))).toBe('The SVG must be UTF-8.');
});

test('leaves out what nothing draws: comments, instructions, foreign elements, unknown attributes', () => {
  const text = rewritten(
    `<?xml-stylesheet href="https://evil.example/x.css"?>${svg(
      `<!-- <script>1</script> --><html:script xmlns:html="http://www.w3.org/1999/xhtml">alert(1)</html:script>
<desc><b onclick="1"/></desc><rect data-x="1" filter="url(//evil.example)" xml:base="javascript:" tabindex="0" width="9"/>words`,
    )}`,
  );
  expect(text).toBe(`<svg viewBox="0 0 20 10" width="512" height="256" ${XMLNS}><rect width="9"/></svg>`);
});

test('writes only characters that XML allows', () => {
  const text = rewritten(svg('<path id="\0" d="M0\f1\v2&#160;3\n4" fill="rgb(1,&#8232;2,3)"/>'));
  expect(text).toContain('<path d="M0 1 2 3 4" fill="rgb(1,');
  expect(text).toMatch(/^[ -~]+$/);
  for (const entity of ['&#0;', '&#12;', '&#x110000;', '&#xD800;']) {
    expect(messageOf(svg(`<g id="${entity}"/>`))).toBe('The SVG is not well-formed XML.');
  }
});

test('refuses references that multiply, and those in a circle', () => {
  const uses = (name: string, times: number) => `<use href="#${name}"/>`.repeat(times);
  const levels = Array.from({ length: 6 }, (_, level) => `<g id="l${level + 1}">${uses(`l${level}`, 10)}</g>`);
  expect(messageOf(svg(`<rect id="l0"/>${levels.join('')}`))).toContain('through references');
  expect(messageOf(svg('<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>'))).toContain(
    'through references',
  );
  expect(messageOf(svg('<mask id="a" mask="url(#a)"><rect/></mask>'))).toContain('through references');
});

test('refuses too many elements, namespaces and classes, deep nesting, and styles that make it too large', () => {
  expect(messageOf(svg('<g/>'.repeat(1_000)))).toContain('more than 1000 elements');
  expect(messageOf(svg('<g>'.repeat(30) + '</g>'.repeat(30)))).toContain('nested too deeply');
  const declared = Array.from({ length: 101 }, (_, at) => `xmlns:a${at}="urn:a"`).join(' ');
  expect(messageOf(svg(`<metadata ${declared}/>`))).toContain('namespaces');
  expect(messageOf(svg(`${'<metadata xmlns:a="urn:a">'.repeat(100)}${'</metadata>'.repeat(100)}`))).toContain(
    'namespaces',
  );
  expect(messageOf(svg(`<style>${'.a,'.repeat(1_000)}.a{fill:red}</style>`))).toContain('style sheet');
  const sheet = `<style>.a{stroke-dasharray:${'1 '.repeat(99)}1}</style>`;
  expect(messageOf(svg(sheet + '<g class="a"/>'.repeat(900)))).toContain('too large');
});

test.each([
  ['a transform of spaces', `<g transform="${'rotate(1)'.repeat(10)}${' '.repeat(40_000)}x"/>`],
  ['a color of letters', `<g fill="${'a'.repeat(40_000)}("/>`],
  ['a style of semicolons', `<g style="${';'.repeat(40_000)}"/>`],
  ['a style sheet of braces', `<style>${'{'.repeat(40_000)}</style>`],
  ['many attributes', `<g ${Array.from({ length: 3_000 }, (_, at) => `data-a${at}=""`).join(' ')}/>`],
])('reads %s with a number of steps that grows with its length', (_, content) => {
  expect(() => messageOf(svg(content))).not.toThrow();
});
