// dynalite as a process of its own, so that an error that it throws ends it and not the test. Prints where it listens.
import dynalite from 'dynalite';

const server = dynalite({createTableMs: 0, deleteTableMs: 0, updateTableMs: 0});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => console.log(`listening on 127.0.0.1:${server.address().port}`));
