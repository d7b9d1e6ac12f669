"""Checks witnesses in GraphML against what the documentation of version 1.0 says.

graphml.py FILE...: says what is wrong, and ends with exit code 1 if something is.
"""

import re
import sys
import xml.etree.ElementTree as ElementTree

NAMESPACE = "{http://graphml.graphdrawing.org/xmlns}"
REQUIRED = [
    "witness-type",
    "sourcecodelang",
    "producer",
    "specification",
    "programfile",
    "programhash",
    "architecture",
    "creationtime",
]


def data(element):
    return {one.get("key"): one.text for one in element.findall(f"{NAMESPACE}data")}


def mistakes(file):
    tree = ElementTree.parse(file).getroot()
    keys = {(key.get("id"), key.get("for")) for key in tree.findall(f"{NAMESPACE}key")}
    graph = tree.find(f"{NAMESPACE}graph")
    about = data(graph)
    yield from (f"{name} is missing" for name in REQUIRED if not about.get(name))
    if not re.fullmatch("[0-9a-f]{64}", about["programhash"]):
        yield "programhash is no hash"
    nodes = {node.get("id"): data(node) for node in graph.findall(f"{NAMESPACE}node")}
    edges = graph.findall(f"{NAMESPACE}edge")
    for kind, elements in [("graph", [graph]), ("node", graph.findall(f"{NAMESPACE}node")), ("edge", edges)]:
        for key in {key for element in elements for key in data(element)}:
            if (key, kind) not in keys:
                yield f"{key} of {kind} is not declared"
    if [data.get("entry") for data in nodes.values()].count("true") != 1:
        yield "there is not one entry"
    violations = [name for name, data in nodes.items() if data.get("violation") == "true"]
    if len(violations) != (about["witness-type"] == "violation_witness"):
        yield f"{len(violations)} nodes are violations"
    created = set()
    for edge in edges:
        about = data(edge)
        if edge.get("source") not in nodes or edge.get("target") not in nodes:
            yield f"an edge from {edge.get('source')} to {edge.get('target')} has no node"
        if "createThread" in about:
            created.add(about["createThread"])
        if about["threadId"] not in created:
            yield f"thread {about['threadId']} moves and was not created"
        if ("\\result" in about.get("assumption", "")) != ("assumption.resultfunction" in about):
            yield "\\result has no function"


def main():
    found = [f"{file}: {mistake}" for file in sys.argv[1:] for mistake in mistakes(file)]
    print("".join(f"{line}\n" for line in found), end="")
    sys.exit(min(len(found), 1))


main()
