/**
 * An npm registry on loopback that has one package, packed from this checkout. It redirects to npm's own registry for
 * all others, so npm finds those in its cache. npm installs a published package differently than a file.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

interface StandInRegistry {
  url: string;
  close(): void;
}

/**
 * @param tarball the path of what `npm pack` made
 * @param others the URL of the registry of all other packages
 */
export async function startStandInRegistry(tarball: string, others: string): Promise<StandInRegistry> {
  const content = readFileSync(tarball);
  const manifest = JSON.parse(fileOf(tarball, 'package.json')) as { name: string; version: string };
  const { name, version } = manifest;
  const server = createServer((request, response) => {
    response.setHeader('connection', 'close');
    if (request.url === `/${name}/-/package.tgz`) return void response.end(content);
    if (request.url !== `/${name}`) {
      return void response.writeHead(302, { location: new URL(`.${request.url}`, others).href }).end();
    }
    response.setHeader('content-type', 'application/json');
    const published = Object.assign(manifest, {
      _hasShrinkwrap: filesOf(tarball).includes('package/npm-shrinkwrap.json'),
      dist: {
        tarball: `${url}/${name}/-/package.tgz`,
        integrity: `sha512-${createHash('sha512').update(content).digest('base64')}`,
      },
    });
    response.end(JSON.stringify({ name, 'dist-tags': { latest: version }, versions: { [version]: published } }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, close: () => void server.close() };
}

const fileOf = (tarball: string, file: string) =>
  execFileSync('tar', ['-xzOf', tarball, `package/${file}`], { encoding: 'utf8' });

const filesOf = (tarball: string) => execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' }).split('\n');
