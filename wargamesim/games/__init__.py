"""The games; `registry` is the only door through which experiments, reports and the command line reach one."""
